// My weaknesses: a dialog with the sums of the user's analyzed games, the worst positions to repeat, and the analysis of the others.

import { openDialog } from '../base/dialog.js';
import { $, button, columns, each, h, patch, v } from '../base/dom.js';
import { dateText, disc } from '../base/format.js';
import { orNull } from '../base/validate.js';
import { GameSeries } from '../model/game-series.js';
import { playerTag } from '../model/perspective.js';
import { puzzlesOf } from '../model/puzzles.js';
import { positionsOf } from '../model/rules.js';
import { ownGames, weaknessesOf, writeCsv } from '../model/weaknesses.js';
import { meter, playersOf } from '../panels/view.js';
import { saveFile } from './clipboard.js';

/** Most mistakes in the list, and positions to repeat at once. */
const MAX_SHOWN = 10;
const ONE_DIGIT = { maximumFractionDigits: 1, minimumFractionDigits: 1 };

/** @param {GamesPanel} panel */
export async function showWeaknesses(panel) {
  const { app, shelf, t, words } = panel;
  const puzzles = puzzlesOf(app.store, app.rules);
  await puzzles.load();
  const root = h('div.pad.weak');
  const series = new GameSeries(app, shelf, () => draw());
  const openingOf = (/** @type {GameRecord} */ record) => app.openings.ofGame(record) ?? t('weak.unnamed');
  /** @type {ReturnType<typeof ownGames>} */
  let games;
  /** @type {ReturnType<typeof weaknessesOf>} */
  let sums;
  /** The row whose mistakes are listed, `null` for all. @type {{ by: string, id: string } | null} */
  let chosen = null;
  const read = () => {
    games = ownGames(shelf, app.ownNames);
    sums = weaknessesOf(games, openingOf);
    draw();
  };
  const mean = (/** @type {number} */ sum, /** @type {number} */ n) =>
    n > 0 ? words.number(sum / n, ONE_DIGIT) : '–';
  const percent = (/** @type {number} */ part, /** @type {number} */ whole) =>
    whole > 0 ? t('openings.percent', { p: Math.round((100 * part) / whole) }) : '–';

  /** The name of a row. @param {string} by @param {any} row */
  const nameOf = (by, { id, others }) => {
    if (others) return t('weak.others', { n: others });
    if (by === 'phase') return t('report.phase', { from: 20 * id + 1, to: 20 * id + 20 });
    const key = `kind.${id.replace(' ', '-')}`;
    return by === 'kind' && words.has(key) ? t(key) : id;
  };
  /** A table whose rows choose the listed mistakes. @param {keyof typeof sums.tables} by @param {string[]} heads
   *  @param {(sum: any) => (string | number)[]} cells */
  const table = (by, heads, cells) => {
    const row = (sum) => {
      const { id, mistakes, others } = sum;
      const isChosen = chosen?.by === by && chosen.id === id;
      const choose = () => {
        chosen = isChosen ? null : { by, id };
        draw();
        if (chosen) $('h2', root).focus();
      };
      const pressed = { class: 'text', 'aria-pressed': String(isChosen) };
      const name = nameOf(by, sum);
      const label = others || mistakes === 0 ? name : button(name, choose, pressed);
      return v(
        'tr',
        { key: id },
        v('th', { scope: 'row' }, label),
        cells(sum).map((text) => v('td', text)),
      );
    };
    const head = v('thead', columns([t(`weak.${by}`), ...heads]));
    return v('table.figs', { key: by }, head, each('tbody', sums.tables[by], row));
  };

  /** The worst positions that are due, or were never repeated. @param {typeof sums.mistakes} mistakes */
  const dueOf = (mistakes) => {
    const positions = new Set();
    for (const { game, ply } of mistakes) {
      const { moves, start } = game.record;
      const position = orNull(() => positionsOf(app.rules, moves.slice(0, 2 * ply - 2), start).at(-1));
      if (position && (puzzles.progress.get(position)?.due ?? 0) <= Date.now()) positions.add(position);
      if (positions.size === MAX_SHOWN) break;
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
    const facts = [nameOf('kind', { id: kind }), playersOf(record), dateText(record.date, words.language)];
    const move = `${ply}. ${record.moves.slice(2 * ply - 2, 2 * ply)} `;
    const told = v('span', move, v('small.why', facts.filter(Boolean).join(' · ')));
    const dot = v(`span.dot.${playerTag(side)}`);
    return v('li', { key: `${key} ${ply}` }, v('button', { onclick: open }, dot, told, v('b', disc(-loss))));
  };
  /** The analysis of the other games. */
  const others = () => {
    const keys = games.flatMap(({ key, figures, record }) => (figures || record.moves === '' ? [] : key));
    const { at, failed, of, progress } = series;
    const press = of > 0 ? () => series.stop() : () => app.attempt(() => series.run(keys));
    const label = of > 0 ? t('do.stop') : t('weak.analyze', { n: keys.length });
    const running =
      of > 0 ? t('weak.running', { at: at + 1, of }) : failed > 0 && t('weak.failed', { n: failed });
    const start = (of > 0 || keys.length > 0) && button(label, press, { key: 'series' });
    return [
      meter(t('report.progress'), progress, of === 0),
      v('div.under', start, running && v('span.muted', running)),
    ];
  };

  const content = () => {
    if (games.length === 0) return v('p', t('weak.none'));
    const n = games.filter(({ figures }) => figures).length;
    const { mistakes, tables } = sums;
    const sum = (/** @type {'loss' | 'rated' | 'accuracy'} */ name) =>
      tables.rival.reduce((all, row) => all + row[name], 0);
    const accuracy = Math.round(sum('accuracy') / Math.max(1, sum('rated')));
    const averages = { accuracy, loss: mean(sum('loss'), n) };
    const told = [t('weak.known', { n: games.length, known: n }), n > 0 && t('weak.mean', averages)];
    const perGame = t('weak.loss');
    const lossHeads = [perGame, t('weak.share'), t('weak.mistakes')];
    const losses = ({ loss, mistakes }) => [mean(loss, n), percent(loss, sum('loss')), mistakes];
    const resultHeads = [t('openings.count'), t('openings.share'), t('report.accuracy'), perGame];
    const results = ({ games, points, scored, accuracy, rated, loss }) => [
      games,
      percent(points, scored),
      rated > 0 ? Math.round(accuracy / rated) : '–',
      mean(loss, games),
    ];
    const wanted = mistakes.filter((mistake) => !chosen || mistake[chosen.by] === chosen.id);
    const due = dueOf(wanted);
    const solid = { key: 'repeat', class: 'solid' };
    const again = button(t('weak.repeat', { n: due.length }), () => repeat(due), solid);
    const csv = () => new Blob([writeCsv(games, openingOf)], { type: 'text/csv' });
    return [
      v('p', { role: 'status' }, told.filter(Boolean).join(' · ')),
      others(),
      panel.curve,
      n > 0 && [
        table('kind', lossHeads, losses),
        table('phase', lossHeads, losses),
        table('opening', resultHeads, results),
        table('rival', resultHeads, results),
        v(
          'h2',
          { tabindex: '-1' },
          chosen ? t('weak.these', { name: nameOf(chosen.by, chosen) }) : t('report.yourWorst'),
        ),
        wanted.length > 0 && (due.length > 0 ? again : v('p.muted', t('weak.rested'))),
        each('ul.mistakes', wanted.slice(0, MAX_SHOWN), item),
        v('p.muted', t('weak.explained')),
      ],
      v(
        'div.under',
        button(t('weak.csv'), () => saveFile('outflank-weaknesses.csv', csv())),
      ),
    ];
  };
  const draw = () => patch(root, content());

  read();
  const onNames = (/** @type {string} */ key) => key === 'names' && read();
  const unlisten = [shelf.changed.listen(read), app.settings.changed.listen(onNames)];
  const opened = openDialog(app, t('weak.title'), [root], [], () => {
    for (const end of unlisten) end();
    if (series.of > 0) series.stop();
  });
}
