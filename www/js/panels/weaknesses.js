// My weaknesses: a dialog with the sums of the user's analyzed games, the worst positions to repeat, and the analysis of the others.

import { openDialog } from '../base/dialog.js';
import { button, columns, each, h, patch, v } from '../base/dom.js';
import { dateText, disc } from '../base/format.js';
import { orNull } from '../base/validate.js';
import { saveFile } from '../io/clipboard.js';
import { hasMistakes } from '../model/game-report.js';
import { GameSeries } from '../model/game-series.js';
import { playerTag } from '../model/perspective.js';
import { puzzlesOf } from '../model/puzzles.js';
import { positionsOf } from '../model/rules.js';
import { ownGames, weaknessesOf, writeCsv } from '../model/weaknesses.js';
import { meter, playersOf } from './view.js';

/** Most mistakes in the list, positions to repeat at once, and offered names. */
const MAX_LISTED = 10;
const MAX_REPEATED = 10;
const MAX_NAMES = 3;
const ONE_DIGIT = { maximumFractionDigits: 1, minimumFractionDigits: 1 };

/** @param {GamesPanel} panel */
export async function showWeaknesses(panel) {
  const { app, shelf, t, words } = panel;
  const { openings, ownNames, rules, settings } = app;
  const puzzles = puzzlesOf(app.store, rules);
  await puzzles.load();
  const root = h('div.pad.weak');
  const series = new GameSeries(app, shelf, () => draw());
  const openingOf = (/** @type {GameRecord} */ record) => openings.ofGame(record) ?? t('weak.unnamed');
  let games = ownGames(shelf, ownNames);
  let sums = weaknessesOf([], openingOf);
  /** The row whose mistakes are listed, `null` for all. @type {{ by: string, id: string } | null} */
  let chosen = null;
  const read = () => {
    games = ownGames(shelf, ownNames);
    sums = weaknessesOf(analyzed(), openingOf);
    draw();
  };
  const analyzed = () => games.filter(({ record }) => hasMistakes(record));
  const figure = (/** @type {number} */ value) => words.number(value, ONE_DIGIT);
  const mean = (/** @type {number} */ sum, /** @type {number} */ n) => (n > 0 ? figure(sum / n) : '–');

  const kindName = (/** @type {string} */ kind) => {
    const key = `kind.${kind.replace(' ', '-')}`;
    return words.has(key) ? t(key) : kind;
  };
  /** @param {string} by @param {any} row */
  const nameOf = (by, { id, others }) => {
    if (others) return t('weak.others', { n: others });
    if (by === 'phase') return t('report.phase', { from: 20 * id + 1, to: 20 * id + 20 });
    return by === 'kind' ? kindName(id) : id;
  };
  /** A table whose rows choose the listed mistakes. @param {keyof typeof sums.tables} by @param {string[]} heads
   *  @param {(sum: any) => string[]} cells */
  const table = (by, heads, cells) =>
    v(
      'table.figs',
      { key: by },
      v('thead', columns([t(`weak.${by}`), ...heads])),
      each('tbody', sums.tables[by], (sum) => {
        const { id, mistakes, others } = sum;
        const isChosen = chosen?.by === by && chosen.id === id;
        const choose = () => {
          chosen = isChosen ? null : { by, id };
          draw();
        };
        const name = nameOf(by, sum);
        const pressed = { class: 'text', 'aria-pressed': String(isChosen) };
        const label = others || mistakes === 0 ? name : button(name, choose, pressed);
        const figures = cells(sum).map((text) => v('td', text));
        return v('tr', { key: others ? 'others' : id }, v('th', { scope: 'row' }, label), figures);
      }),
    );

  /** The worst positions that are due, or were never repeated. @param {typeof sums.mistakes} mistakes */
  const dueOf = (mistakes) => {
    const now = Date.now();
    const positions = new Set();
    for (const { game, ply } of mistakes) {
      const { moves, start } = game.record;
      const position = orNull(() => positionsOf(rules, moves.slice(0, 2 * ply - 2), start).at(-1));
      if (position && (puzzles.progress.get(position)?.due ?? 0) <= now) positions.add(position);
      if (positions.size === MAX_REPEATED) break;
    }
    return [...positions];
  };
  const repeat = (/** @type {string[]} */ positions) =>
    app.attempt(async () => {
      opened.close();
      await /** @type {PuzzlesPanel} */ (await app.panels.get('puzzles')).save(positions);
      await app.modes.begin('review');
    });
  const item = ({ game: { key, record, side }, ply, loss, kind }) => {
    const open = async () => {
      opened.close();
      await panel.open(key, record, ply);
      app.panels.uncover();
    };
    const facts = [kindName(kind), playersOf(record), dateText(record.date, words.language)];
    const move = `${ply}. ${record.moves.slice(2 * ply - 2, 2 * ply)} `;
    const told = v('span', move, v('small.why', facts.filter(Boolean).join(' · ')));
    const dot = v(`span.dot.${playerTag(side)}`);
    return v('li', { key: `${key} ${ply}` }, v('button', { onclick: open }, dot, told, v('b', disc(-loss))));
  };

  /** The analysis of the other games. */
  const others = () => {
    const keys = games.flatMap(({ key, record }) => (hasMistakes(record) || record.moves === '' ? [] : key));
    const { at, failed, of, progress } = series;
    const press = of > 0 ? () => series.stop() : () => app.attempt(() => series.run(keys));
    const label = of > 0 ? t('do.stop') : t('weak.analyze', { n: keys.length });
    return [
      meter(t('report.progress'), progress, of === 0),
      v(
        'div.under',
        (of > 0 || keys.length > 0) && button(label, press, { key: 'series' }),
        of > 0 && v('span.muted', t('weak.running', { at: at + 1, of })),
        of === 0 && failed > 0 && v('span.muted', t('weak.failed', { n: failed })),
      ),
    ];
  };

  /** Offers the most frequent names of the saved games. */
  const strangers = () => {
    const counts = new Map();
    for (const { black, white } of shelf.kept.values())
      for (const name of [black, white]) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
    const names = [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_NAMES);
    const own = (/** @type {[string, number]} */ [name]) =>
      button(t('games.own', { name }), () => ownNames.add(name));
    return [v('p', t('weak.none')), each('div.choices', names, own)];
  };

  const content = () => {
    if (games.length === 0) return strangers();
    const known = analyzed();
    const n = known.length;
    const { mistakes, tables } = sums;
    const whole = tables.phase.reduce((sum, { loss }) => sum + loss, 0);
    const [rated, accuracy] = ['rated', 'accuracy'].map((name) =>
      tables.rival.reduce((sum, row) => sum + row[name], 0),
    );
    const averages = { accuracy: mean(accuracy, rated), loss: mean(whole, n) };
    const told = [t('weak.known', { n: games.length, known: n }), n > 0 && t('weak.mean', averages)];
    const losses = (row) => [
      mean(row.loss, n),
      `${Math.round((100 * row.loss) / (whole || 1))} %`,
      String(row.mistakes),
    ];
    const results = (row) => [
      String(row.games),
      row.scored > 0 ? `${Math.round((100 * row.points) / row.scored)} %` : '–',
      row.rated > 0 ? String(Math.round(row.accuracy / row.rated)) : '–',
      mean(row.loss, row.games),
    ];
    const [perGame, count] = [t('weak.loss'), t('openings.count')];
    const lossHeads = [perGame, t('weak.share'), t('weak.mistakes')];
    const resultHeads = [count, t('openings.share'), t('report.accuracy'), perGame];
    const wanted = mistakes.filter((mistake) => !chosen || mistake[chosen.by] === chosen.id);
    const due = dueOf(wanted);
    const again = button(t('weak.repeat', { n: due.length }), () => repeat(due), {
      key: 'repeat',
      class: 'solid',
    });
    const save = () => {
      const csv = new Blob([writeCsv(games, openingOf)], { type: 'text/csv' });
      saveFile('outflank-weaknesses.csv', csv);
    };
    return [
      v('p', { role: 'status' }, told.filter(Boolean).join(' · ')),
      others(),
      panel.curve,
      n > 0 && [
        table('kind', lossHeads, losses),
        table('phase', lossHeads, losses),
        table('opening', resultHeads, results),
        table('rival', resultHeads, results),
        v('h2', chosen ? t('weak.these', { name: nameOf(chosen.by, chosen) }) : t('report.yourWorst')),
        wanted.length > 0 && (due.length > 0 ? again : v('p.muted', t('weak.rested'))),
        each('ul.mistakes', wanted.slice(0, MAX_LISTED), item),
        v('p.muted', t('weak.explained')),
      ],
      v('div.under', button(t('weak.csv'), save)),
    ];
  };
  const draw = () => patch(root, content());

  read();
  const unlisten = [shelf.changed.listen(read), settings.changed.listen((key) => key === 'names' && read())];
  const opened = openDialog(app, t('weak.title'), [root], [], () => {
    for (const end of unlisten) end();
    if (series.of > 0) series.stop();
  });
}
