// My weaknesses: a dialog with the sums of the user's analyzed games, the worst positions to repeat, and the analysis of the others.

import { openDialog } from '../base/dialog.js';
import { $, button, columns, each, h, patch, v } from '../base/dom.js';
import { dateText, disc } from '../base/format.js';
import { emptyCount } from '../base/position.js';
import { orNull } from '../base/validate.js';
import { GameSeries } from '../model/game-series.js';
import { playerTag } from '../model/perspective.js';
import { puzzlesOf } from '../model/puzzles.js';
import { positionsOf } from '../model/rules.js';
import { ownGames, weaknessesOf, writeCsv } from '../model/weaknesses.js';
import { meter, playersOf, View } from '../panels/view.js';
import { saveFile } from './clipboard.js';

/** @typedef {ReturnType<typeof weaknessesOf>} Weaknesses */
/** @typedef {keyof Weaknesses['tables']} TableName */
/** @typedef {Weaknesses['mistakes'][number]} OwnMistake */

/** Most mistakes in the list, and positions to repeat at once. */
const MAX_SHOWN = 10;
const ONE_DIGIT = { maximumFractionDigits: 1, minimumFractionDigits: 1 };

/** @param {GamesPanel} panel */
export async function showWeaknesses(panel) {
  const puzzles = puzzlesOf(panel.app.store, panel.app.rules);
  await puzzles.load();
  new WeaknessesDialog(panel, puzzles);
}

class WeaknessesDialog extends View {
  /** @type {ReturnType<typeof ownGames>} */
  games = [];
  /** @type {Weaknesses} */
  sums = weaknessesOf([], String);
  /** The row whose mistakes are listed, `null` for all. @type {{ by: TableName, id: string } | null} */
  #chosen = null;

  /** @param {GamesPanel} panel @param {import('../model/puzzles.js').Puzzles} puzzles */
  constructor(panel, puzzles) {
    super(h('div.pad.weak'), panel.app);
    const { settings } = this.app;
    this.panel = panel;
    this.puzzles = puzzles;
    this.series = new GameSeries(this.app, panel.shelf, () => this.draw());
    this.read();
    const unlisten = [
      panel.shelf.changed.listen(() => this.read()),
      settings.changed.listen((key) => key === 'names' && this.read()),
    ];
    const { close } = openDialog(this.app, this.t('weak.title'), [this.root], [], () => {
      for (const end of unlisten) end();
      if (this.series.of > 0) this.series.stop();
    });
    this.close = close;
  }

  /** @param {GameRecord} record */
  #openingOf = (record) => this.app.openings.ofGame(record) ?? this.t('weak.unnamed');

  read() {
    this.games = ownGames(this.panel.shelf, this.app.ownNames);
    this.sums = weaknessesOf(this.games, this.#openingOf);
    this.draw();
  }

  draw() {
    patch(this.root, this.games.length > 0 ? this.#content() : v('p', this.t('weak.none')));
  }

  #content() {
    const { panel, t } = this;
    const { mistakes } = this.sums;
    const chosen = this.#chosen;
    const isAnalyzed = this.games.some(({ figures }) => figures);
    const csv = () => new Blob([writeCsv(this.games, this.#openingOf)], { type: 'text/csv' });
    const save = () => saveFile('outflank-weaknesses.csv', csv());
    return [
      v('p', { role: 'status' }, this.#averages()),
      this.#series(),
      panel.curve,
      isAnalyzed && [
        this.#tables(),
        this.#mistakes(mistakes.filter((mistake) => !chosen || mistake[chosen.by] === chosen.id)),
        v('p.muted', t('weak.explained')),
      ],
      v('div.under', button(t('weak.csv'), save)),
    ];
  }

  /** A sum over all analyzed games. @param {'games' | 'loss' | 'rated' | 'accuracy'} name */
  #sum(name) {
    return this.sums.tables.rival.reduce((all, row) => all + row[name], 0);
  }

  /** The numbers of games, and the averages of those that are analyzed. */
  #averages() {
    const { t } = this;
    const n = this.#sum('games');
    const accuracy = Math.round(this.#sum('accuracy') / Math.max(1, this.#sum('rated')));
    const averages = { accuracy, loss: this.#mean(this.#sum('loss'), n) };
    const told = [t('weak.known', { n: this.games.length, known: n }), n > 0 && t('weak.mean', averages)];
    return told.filter(Boolean).join(' · ');
  }

  /** @param {number} sum @param {number} n */
  #mean(sum, n) {
    return n > 0 ? this.words.number(sum / n, ONE_DIGIT) : '–';
  }

  /** @param {number} part @param {number} whole */
  #percent(part, whole) {
    return whole > 0 ? this.t('openings.percent', { p: Math.round((100 * part) / whole) }) : '–';
  }

  #tables() {
    const { t } = this;
    const perGame = t('weak.loss');
    const lossHeads = [perGame, t('weak.share'), t('weak.mistakes')];
    const losses = ({ loss, mistakes }) => [
      this.#mean(loss, this.#sum('games')),
      this.#percent(loss, this.#sum('loss')),
      mistakes,
    ];
    const resultHeads = [t('openings.count'), t('openings.share'), t('report.accuracy'), perGame];
    const results = ({ games, points, scored, accuracy, rated, loss }) => [
      games,
      this.#percent(points, scored),
      rated > 0 ? Math.round(accuracy / rated) : '–',
      this.#mean(loss, games),
    ];
    return [
      this.#table('kind', lossHeads, losses),
      this.#table('phase', lossHeads, losses),
      this.#table('opening', resultHeads, results),
      this.#table('rival', resultHeads, results),
    ];
  }

  /** A table whose rows choose the listed mistakes. @param {TableName} by @param {string[]} heads
   *  @param {(sum: any) => (string | number)[]} cells */
  #table(by, heads, cells) {
    const row = (sum) => {
      const { id, mistakes, others } = sum;
      const isChosen = this.#chosen?.by === by && this.#chosen.id === id;
      const choose = () => {
        this.#chosen = isChosen ? null : { by, id };
        this.draw();
        if (this.#chosen) $('h2', this.root).focus();
      };
      const pressed = { class: 'text', 'aria-pressed': String(isChosen) };
      const name = this.#nameOf(by, sum);
      const label = others || mistakes === 0 ? name : button(name, choose, pressed);
      const figures = cells(sum).map((text) => v('td', text));
      return v('tr', { key: id }, v('th', { scope: 'row' }, label), figures);
    };
    const head = v('thead', columns([this.t(`weak.${by}`), ...heads]));
    return v('table.figs', { key: by }, head, each('tbody', this.sums.tables[by], row));
  }

  /** The name of a row. @param {string} by @param {{ id: any, others?: number }} row */
  #nameOf(by, { id, others }) {
    const { t, words } = this;
    if (others) return t('weak.others', { n: others });
    if (by === 'phase') return this.#phase(20 * id);
    const key = `kind.${id.replace(' ', '-')}`;
    return by === 'kind' && words.has(key) ? t(key) : id;
  }

  /** The moves after `before` others of a game. Games from set-up positions number them differently: then their empty squares.
   *  @param {number} before */
  #phase(before) {
    const isWhole = this.games.every(({ record }) => emptyCount(record.start) === 60);
    if (isWhole) return this.t('report.phase', { from: before + 1, to: before + 20 });
    return this.t('puzzles.left', { n: `${60 - before}–${41 - before}` });
  }

  /** The listed mistakes, and the button that repeats their positions. @param {OwnMistake[]} mistakes */
  #mistakes(mistakes) {
    const { t } = this;
    const chosen = this.#chosen;
    const due = this.#dueOf(mistakes);
    const solid = { key: 'repeat', class: 'solid' };
    const again = button(t('weak.repeat', { n: due.length }), () => this.#repeat(due), solid);
    const name = chosen && this.#nameOf(chosen.by, chosen);
    return [
      v('h2', { tabindex: '-1' }, name ? t('weak.these', { name }) : t('report.yourWorst')),
      mistakes.length > 0 && (due.length > 0 ? again : v('p.muted', t('weak.rested'))),
      each('ul.mistakes', mistakes.slice(0, MAX_SHOWN), (mistake) => this.#item(mistake)),
    ];
  }

  /** The worst positions that are due, or were never repeated. @param {OwnMistake[]} mistakes */
  #dueOf(mistakes) {
    const { app, puzzles } = this;
    const positions = new Set();
    for (const { game, ply } of mistakes) {
      const { moves, start } = game.record;
      const position = orNull(() => positionsOf(app.rules, moves.slice(0, 2 * ply - 2), start).at(-1));
      if (position && (puzzles.progress.get(position)?.due ?? 0) <= Date.now()) positions.add(position);
      if (positions.size === MAX_SHOWN) break;
    }
    return [...positions];
  }

  /** @param {string[]} positions */
  #repeat(positions) {
    const { app } = this;
    return app.attempt(async () => {
      this.close();
      await /** @type {PuzzlesPanel} */ (await app.panels.get('puzzles')).save(positions);
      await app.modes.begin('review');
    });
  }

  /** @param {OwnMistake} mistake */
  #item({ game: { key, record, side }, ply, loss, kind }) {
    const { app, panel, words } = this;
    const open = async () => {
      this.close();
      await panel.open(key, record, ply);
      app.panels.uncover();
    };
    const facts = [
      this.#nameOf('kind', { id: kind }),
      playersOf(record),
      dateText(record.date, words.language),
    ];
    const move = `${ply}. ${record.moves.slice(2 * ply - 2, 2 * ply)} `;
    const told = v('span', move, v('small.why', facts.filter(Boolean).join(' · ')));
    const dot = v(`span.dot.${playerTag(side)}`);
    return v('li', { key: `${key} ${ply}` }, v('button', { onclick: open }, dot, told, v('b', disc(-loss))));
  }

  /** The analysis of the other games. */
  #series() {
    const { app, series, t } = this;
    const keys = this.games.flatMap(({ key, figures, record }) =>
      figures || record.moves === '' ? [] : key,
    );
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
  }
}
