// Asks what is to be trained: a named opening, the line on the board, a line of one's own, or what was played in games.

import { checkbox, choices, openDialog } from '../base/dialog.js';
import { h } from '../base/dom.js';
import { START } from '../base/position.js';
import { LineBook } from '../model/drill.js';
import { fromF5, repertoireOf } from '../model/repertoire.js';
import { splitMoves } from '../model/rules.js';
import { titleOf } from '../panels/trainer.js';

/** @type {Promise<TrainerLine[]> | null} */
let loading = null;

/** The openings that have a name. @returns {Promise<TrainerLine[]>} */
function namedLines() {
  loading ??= fetch(new URL('../../data/openings.json', import.meta.url))
    .then((answer) => answer.json())
    .then(({ lines }) => lines.map(({ moves, ...names }) => ({ moves: fromF5(moves), names })));
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

/** The moves on the board: up to the cursor, or all of them where it stands at the start; nothing where the game
 *  begins elsewhere. @param {App} app */
export function movesOnBoard({ study }) {
  if (study.tree.root.position !== START) return '';
  const node = study.node.parent ? study.node : study.line.at(-1);
  return node?.moves.join('') ?? '';
}

/** A line with those that go on from it. @param {App} app @param {TrainerLine} line @param {TrainerLine[]} all */
async function withMore({ rules }, line, all) {
  const moves = splitMoves(line.moves);
  const end = moves.reduce((position, move) => rules.play(position, move).position, START);
  const going = await new LineBook(rules, all).moves(end, moves.length);
  return [line, ...going.flatMap(({ lines }) => lines)];
}

/** What was chosen last time: whatever makes no sense is as if nothing was. @param {any} stored
 *  @returns {{ side: Side, more: boolean, value: string }} */
function chosenLast(stored) {
  const { side, more, value } = Object(stored);
  return {
    side: side === 'O' ? 'O' : 'X',
    more: more === true,
    value: typeof value === 'string' ? value : '',
  };
}

/** @param {App} app @param {TrainerSetup} setup what is settled already @returns {Promise<TrainerSetup | null>} */
export async function askTrainer(app, setup) {
  const { t } = app.words;
  const repertoire = repertoireOf(app.store, app.rules);
  const named = await namedLines().catch(() => []);
  const onBoard = movesOnBoard(app);
  const given = setup.lines?.[0];
  /** What can be chosen, by its value. @type {Map<string, TrainerLine | null>} */
  const offered = new Map();
  const option = (value, label, line) => {
    offered.set(value, line);
    return h('option', { value }, label);
  };
  const group = (label, options) => (options.length > 0 ? h('optgroup', { label }, options) : null);
  const byTitle = (lines) =>
    lines
      .map((line) => ({ line, title: titleOf(app, line) }))
      .sort((a, b) => a.title.localeCompare(b.title, app.words.language));
  const select = h(
    'select',
    { id: 'trainer-line' },
    given && option('given', `${titleOf(app, given)} (${given.moves})`, given),
    !given &&
      onBoard &&
      option('board', t('trainer.onBoard', { moves: onBoard }), { moves: onBoard, names: null }),
    option('games', t('trainer.games'), null),
    group(
      t('trainer.mine'),
      byTitle(repertoire.lines).map(({ line, title }) =>
        option(`mine ${line.moves}`, `${title} (${line.moves})`, line),
      ),
    ),
    group(
      t('trainer.named'),
      byTitle(named).map(({ line, title }) => option(`named ${line.moves}`, title, line)),
    ),
  );
  const chosen = chosenLast(app.store.get('trainer.last'));
  if (setup.side) chosen.side = setup.side;
  const kept = offered.has(chosen.value) && !given && !onBoard ? chosen.value : null;
  if (kept) select.value = kept;
  return new Promise((resolve) => {
    let settled = false;
    const done = async (/** @type {boolean} */ train) => {
      settled = true;
      const { side, more } = chosen;
      app.store.set('trainer.last', { side, more, value: select.value });
      const line = offered.get(select.value);
      try {
        if (!line) {
          resolve(train ? { games: onBoard, side } : null);
          return;
        }
        const lines = more ? await withMore(app, line, [...repertoire.lines, ...named]) : [line];
        // A line that is not legal is not kept.
        const book = new LineBook(app.rules, lines);
        if (train) resolve({ lines, side });
        else {
          for (const each of book.lines) repertoire.add(each, [side]);
          app.notices.show(t('trainer.added', { line: titleOf(app, line) }), { key: 'trainer', stay: 4000 });
          resolve(null);
        }
      } catch (error) {
        app.fail(error);
        resolve(null);
      }
    };
    openDialog({
      title: t('trainer.title'),
      words: app.words,
      body: [
        h('label.stacked', { for: 'trainer-line' }, t('trainer.line')),
        select,
        choices({
          name: 'trainer-side',
          legend: t('trainer.side'),
          value: chosen.side,
          options: [
            ['X', t('black')],
            ['O', t('white')],
          ],
          onchange: (side) => {
            chosen.side = side;
          },
        }),
        checkbox({
          label: t('trainer.more'),
          checked: chosen.more,
          onchange: (more) => {
            chosen.more = more;
          },
        }),
      ],
      actions: [
        { label: t('do.cancel') },
        { label: t('trainer.add'), run: () => void done(false) },
        { label: t('trainer.train'), solid: true, run: () => void done(true) },
      ],
      onClose: () => settled || resolve(null),
    });
  });
}
