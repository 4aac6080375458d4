// Asks for the line to train: a named opening, the line on the board, a line of the user, or the moves played in games.

import { askDialog, checkbox, choices } from '../base/dialog.js';
import { h } from '../base/dom.js';
import { loadJson } from '../base/load.js';
import { SIDES, START } from '../base/position.js';
import { LineBook } from '../model/drill.js';
import { fromF5, repertoireOf } from '../model/repertoire.js';
import { positionsOf } from '../model/rules.js';
import { titleOf } from '../panels/trainer.js';

/** The named openings. @returns {Promise<TrainerLine[]>} */
async function namedLines() {
  const { lines } = await loadJson('data/openings.json');
  return lines.map(({ moves, ...names }) => ({ moves: fromF5(moves), names }));
}

/** The moves up to the cursor, or all moves if it is at the start. Empty if the game starts from another position. @param {App} app */
function movesOnBoard({ study }) {
  if (study.tree.root.position !== START) return '';
  const node = study.node.parent ? study.node : study.line.at(-1);
  return node?.moves.join('') ?? '';
}

/** A line with the lines that continue it. @param {App} app @param {TrainerLine} line @param {TrainerLine[]} all */
async function withContinuations({ rules }, line, all) {
  const positions = positionsOf(rules, line.moves);
  const end = /** @type {string} */ (positions.at(-1));
  const moves = await new LineBook(rules, all).moves(end, positions.length - 1);
  return [line, ...moves.flatMap(({ lines }) => lines)];
}

/** Reads the last choices. Invalid values get their defaults. @param {any} stored
 *  @returns {{ side: Side, more: boolean, value: string }} */
function chosenLast(stored) {
  const { side, more, value } = Object(stored);
  return {
    side: side === 'O' ? 'O' : 'X',
    more: more === true,
    value: typeof value === 'string' ? value : '',
  };
}

/** @param {App} app @param {TrainerSetup} setup the known part of the setup @returns {Promise<TrainerSetup | null>} */
export async function askTrainer(app, setup) {
  const { notices, rules, store, t, words } = app;
  const repertoire = repertoireOf(store, rules);
  const named = await namedLines().catch(() => []);
  const onBoard = movesOnBoard(app);
  const given = setup.lines?.[0];
  /** The lines that can be chosen, by value. @type {Map<string, TrainerLine | null>} */
  const offered = new Map();
  const option = (value, label, line) => {
    offered.set(value, line);
    return h('option', { value }, label);
  };
  /** @param {string} kind @param {TrainerLine[]} lines @param {(title: string, line: TrainerLine) => string} label */
  const group = (kind, lines, label) => {
    const options = lines
      .map((line) => ({ line, title: titleOf(app, line) }))
      .sort((a, b) => a.title.localeCompare(b.title, words.language))
      .map(({ line, title }) => option(`${kind} ${line.moves}`, label(title, line), line));
    return options.length > 0 && h('optgroup', { label: t(`trainer.${kind}`) }, options);
  };
  const withMoves = (title, { moves }) => `${title} (${moves})`;
  const board = { moves: onBoard, names: null };
  const select = h(
    'select',
    { id: 'trainer-line' },
    given && option('given', withMoves(titleOf(app, given), given), given),
    !given && onBoard && option('board', t('trainer.onBoard', { moves: onBoard }), board),
    option('games', t('trainer.games'), null),
    group('mine', repertoire.lines, withMoves),
    group('named', named, (title) => title),
  );
  const chosen = chosenLast(store.get('trainer.last'));
  if (setup.side) chosen.side = setup.side;
  if (offered.has(chosen.value) && !given && !onBoard) select.value = chosen.value;
  /** @param {boolean} train @returns {Promise<TrainerSetup | null>} */
  const settle = async (train) => {
    const { side, more } = chosen;
    store.set('trainer.last', { side, more, value: select.value });
    const line = offered.get(select.value);
    if (!line) return train ? { games: onBoard, side } : null;
    const lines = more ? await withContinuations(app, line, [...repertoire.lines, ...named]) : [line];
    // Throws if a line is illegal.
    const book = new LineBook(rules, lines);
    if (train) return { lines, side };
    for (const each of book.lines) repertoire.add(each, [side]);
    notices.show(t('trainer.added', { line: titleOf(app, line) }), { key: 'trainer', stay: 4000 });
    return null;
  };
  const set = (name) => (value) => {
    chosen[name] = value;
  };
  const body = [
    h('label.stacked', { for: 'trainer-line' }, t('trainer.line')),
    select,
    choices({
      name: 'trainer-side',
      legend: t('trainer.side'),
      value: chosen.side,
      options: SIDES.map((side) => [side, words.side(side)]),
      onchange: set('side'),
    }),
    checkbox(t('trainer.more'), chosen.more, set('more')),
  ];
  return askDialog(app, t('trainer.title'), body, [
    { label: t('do.cancel') },
    { label: t('trainer.add'), run: () => settle(false) },
    { label: t('trainer.train'), solid: true, run: () => settle(true) },
  ]);
}
