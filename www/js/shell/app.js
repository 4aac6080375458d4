// The page: joins the study, the engine and the views. It decides when the engine works and what is
// drawn; what each view shows is the view's affair.

import { $, attr, text } from '../base/dom.js';
import { Analysis } from '../engine/analysis.js';
import { Console } from '../panels/console.js';
import { Header } from '../panels/header.js';
import { Evaluations } from '../engine/evaluations.js';
import { Lines } from '../panels/lines.js';
import { Moves } from '../panels/moves.js';
import { Openings } from '../model/openings.js';
import { Painter } from '../base/painter.js';
import { Study } from '../model/study.js';
import { Tabs } from '../panels/tabs.js';
import { alike } from '../engine/evaluation.js';
import { disc } from '../base/format.js';
import { errorText } from '../io/import.js';
import { lossOf, repair } from '../model/losses.js';
import { overlay } from '../board/overlays.js';
import { emptyCount, forBlack, sideOf, squareName } from '../base/position.js';
import { Tree } from '../model/tree.js';

const PREVIEW_DELAY_MS = 2000;

export class App {
  /** `board` and `engine` come from the start, which does not wait for the rules. */
  constructor({ rules, words, store, settings, notices, board, engine }) {
    Object.assign(this, { rules, words, store, settings, notices, board, engine });
    this.evaluations = new Evaluations(rules, store);
    this.openings = new Openings(rules, words.language);
    this.painter = new Painter({ draw: () => this.#draw(), wanted: () => { this.cachedPoints = null; } });
    this.hovered = null;
    this.hoveredLine = null;
    this.stale = null;
    this.treeRevision = 0;
    this.shownTree = -1;
    /** What has the board for itself: a match, a puzzle or the editor, each with `play`, `end`
     *  and flags `quiet` (no analysis) and `hide` (no values). */
    this.mode = null;
    /** When the first values are shown, or none are to come. */
    this.valued = new Promise((resolve) => { this.valuesShown = resolve; });
    /** Called after every change of the study with what changed. */
    this.listeners = [];
    this.study = new Study(rules, (what) => this.#changed(what));
    this.analysis = new Analysis(this.engine, this.evaluations, () => {
      this.painter.later();
      for (const listener of this.listeners) listener('analysis');
    });
    this.#makeViews();
    this.#joinEngine();
    document.addEventListener('visibilitychange', () => this.analyse());
    setInterval(() => this.analysis.running && this.painter.later(), 1000);
    setTimeout(() => this.loadPreview(), PREVIEW_DELAY_MS);
  }

  #joinEngine() {
    const ready = (info) => {
      this.evaluations.engineIs(info);
      this.analyse();
    };
    this.engine.on = {
      line: (direction, line) => this.aside || this.console.add(direction, line),
      // Not `later`: the first values, which follow at once, would wait for their turn behind it.
      state: () => this.painter.now(),
      ready,
      death: (message, again) => {
        const { t } = this.words;
        this.console.add('note', message);
        this.analysis.reset(null);
        this.notices.show(t(again ? 'engine.restarted' : 'engine.gaveUp', { detail: message }), {
          kind: 'fault',
          key: 'death',
          action: again ? null : { label: t('engine.again'), run: () => this.reviveEngine() },
        });
        if (again) this.analyse();
      },
    };
    if (this.engine.info) {
      this.console.add('out', 'nboard 2');
      ready(this.engine.info);
    }
  }

  /** Ends the worker and starts another, with the table that is now wanted. */
  restartEngine() {
    this.engine.end();
    this.reviveEngine();
  }

  /** The engine works for the page again, whether it was given up or driven from the console. */
  reviveEngine() {
    this.engine.revive();
    this.analysis.reset(null);
    this.mode?.resume?.();
    this.analyse();
  }

  #makeViews() {
    const { words } = this;
    this.board.on = {
      play: (square, revision) => this.press(squareName(square), revision),
      hover: (square) => this.hover(square === null ? null : squareName(square)),
      speak: (square, label) => this.notices.say(label),
    };
    this.header = new Header($('#engine'), words, { engine: () => this.act('engine'), deeper: () => this.act('deeper') });
    this.lines = new Lines($('#lines-body'), words, {
      hover: (moves) => this.hover(moves?.[0] ?? null, moves),
      play: (moves) => this.playLine(moves),
    });
    this.moves = new Moves($('#moves'), words, { go: (node) => this.study.go(node) });
    this.console = new Console($('#console-log'), $('#console-form'), { send: (line) => this.sendRaw(line) });
    this.tabs = new Tabs($('#side'), (name) => {
      if (name === 'moves') this.moves.reveal();
      this.console.show(name === 'console');
      for (const listener of this.listeners) listener('tab', name);
    });
  }

  /** The graph comes after the first values. */
  async loadGraph() {
    try {
      const { Graph } = await import('../panels/graph.js');
      this.graph = new Graph($('#graph'), this.words, {
        go: (index) => this.study.go(this.study.line[index]),
        mode: (mode) => this.settings.set('graphMode', mode),
        review: () => this.act('review'),
      });
      // At once: the slider has no name before.
      this.painter.flush();
    } catch (error) {
      this.fail(error);
    }
  }

  /** The panel for what is hovered comes after the first values, or with the first hover. */
  loadPreview() {
    this.previewing ??= import('../panels/preview.js').then(({ Preview }) => {
      this.preview = new Preview($('#preview'), this.words, this.rules, this.openings);
      this.painter.now();
    }, () => {
      this.previewing = null;
    });
  }

  /** Runs a named action; the table of them is filled by `actions.js`. */
  act(name, event) {
    this.dress?.();
    return this.actions?.[name]?.(event);
  }

  sendRaw(line) {
    if (this.aside) return this.aside.say(line);
    if (this.engine.raw(line)) {
      this.analysis.running = false;
      this.painter.later();
    } else this.notices.show(this.words.t('engine.starting'));
  }

  fail(error) {
    this.notices.show(errorText(error, this.words), { kind: 'fault' });
  }

  /** A square was pressed on the board as it is drawn: a press meant for an older state is dropped. */
  press(move, revision) {
    if (revision !== undefined && revision !== this.revision) return;
    if (this.mode?.press) {
      this.mode.press(move);
      return;
    }
    if (!this.rules.isLegal(this.study.position, move)) return;
    if (this.mode?.play && !this.mode.play(move)) return;
    this.playMove(move);
  }

  playMove(move) {
    const node = this.study.play(move);
    this.#sayPass(node);
    return node;
  }

  #sayPass(node) {
    const { t } = this.words;
    const look = this.rules.look(node.position);
    if (look.over) this.notices.say(t('game.over', { black: look.black, white: look.white }));
    else if (node.passed) this.notices.show(t('game.passes', { side: t(look.side === 'X' ? 'white' : 'black') }), { key: 'pass', stay: 3000 });
  }

  playLine(moves) {
    if (this.mode?.play) return;
    try {
      this.study.go(this.study.graft(this.study.node, moves));
      this.#changed('tree');
    } catch (error) {
      this.fail(error);
    }
  }

  /** Puts a game on the table: at its end, or at its start where the game is over. */
  load(game, label) {
    const tree = Tree.fromGame(this.rules, game);
    const last = tree.main.at(-1);
    this.loadTree(tree, this.rules.look(last.position).over ? tree.root : last, label);
  }

  loadTree(tree, node, label) {
    this.leaveMode();
    this.study.load(tree, node, label);
  }

  enterMode(mode) {
    this.leaveMode();
    if (mode.quiet) this.analysis.finish();
    this.mode = mode;
    this.hovered = null;
    this.stale = null;
    this.analyse();
    this.painter.now();
  }

  leaveMode() {
    const { mode } = this;
    if (!mode) return;
    this.mode = null;
    mode.end?.();
    this.analyse();
    this.painter.now();
  }

  get revision() {
    return `${this.study.node.id}`;
  }

  #changed(what) {
    if (what !== 'move') this.treeRevision++;
    this.stale = this.shown ?? null;
    this.hovered = null;
    this.hoveredLine = null;
    this.mode?.moved?.(what);
    this.analyse();
    for (const listener of this.listeners) listener(what);
    this.painter.now();
  }

  /** Starts, moves or stops the analysis, as the state of the page wants it. */
  analyse() {
    const { position } = this.study;
    const idle = !this.settings.get('engine') || document.hidden || this.mode?.quiet || this.review?.running || this.rules.look(position).over;
    if (idle || this.engine.state === 'dead') {
      if (!this.mode?.usesEngine) this.analysis.finish();
      if (this.analysis.position !== position) this.analysis.reset(position);
      return;
    }
    const { depth } = this;
    const lines = this.settings.get('lines');
    if (this.analysis.done && this.analysis.position === position && this.analysis.limit === depth && this.analysis.lines === lines) return;
    this.analysis.run(position, { lines, depth });
    this.evaluations.recall(position).then((found) => found && this.painter.now());
  }

  /** Plies to search the position on the board: as set, or as deep as it was asked to go here. */
  get depth() {
    const depth = this.settings.get('depth');
    return this.deeper?.position === this.study.position ? Math.max(depth, this.deeper.depth) : depth;
  }

  /** Writes the words anew after a change of language. */
  relabel() {
    this.openings.language = this.words.language;
    this.board.label();
    this.lines.position = null;
    this.shownTree = -1;
    for (const listener of this.listeners) listener('language');
    this.painter.now();
  }

  hover(move, line = null) {
    if (move && (this.mode?.look || !this.rules.isLegal(this.study.position, move))) move = null;
    if (this.hovered === move && this.hoveredLine?.length === line?.length) return;
    this.hovered = move;
    this.hoveredLine = move ? line : null;
    this.painter.now();
  }

  /** Rows of the current position, symmetric moves made equal. */
  rows(position) {
    const evaluation = this.evaluations.get(position);
    if (evaluation.rows.size < 2) return { map: new Map(evaluation.rows), sorted: evaluation.sorted };
    const map = alike(evaluation.rows.values(), (move) => this.rules.canonical(this.rules.play(position, move).position));
    const sorted = [...map.values()].sort((a, b) => b.value - a.value || b.proof.level - a.proof.level || (a.move < b.move ? -1 : 1));
    return { map, sorted };
  }

  /** Points of the tree, repaired; made anew where something changed since. The report reads them between
   *  repaints, which may be late. */
  get points() {
    this.cachedPoints ??= repair(this.study.tree, (position) => this.evaluations.point(position));
    return this.cachedPoints;
  }

  #draw() {
    const { study, settings, mode } = this;
    const { node } = study;
    const position = mode?.position ?? node.position;
    const look = mode?.look ?? this.rules.look(position);
    const { map, sorted } = mode?.look ? { map: new Map(), sorted: [] } : this.rows(position);
    const best = sorted[0] ?? null;
    const black = settings.get('black');
    const hide = Boolean(mode?.hide);
    const { classes, numbers } = mode?.look ? {} : overlay(settings.get('overlay'), this.rules, node);
    if (best || this.settings.get('engine') === false) this.stale = null;
    this.board.draw({
      revision: this.revision,
      look,
      last: mode?.look ? null : node.move,
      values: hide ? null : map,
      best: best?.value ?? null,
      black,
      show: settings.get('values') && !hide,
      target: this.depth,
      flips: this.hovered ? this.rules.flips(position, this.hovered) : null,
      overlay: classes,
      numbers,
      stale: this.stale,
      open: Boolean(mode?.open),
    });
    this.stale = null;
    this.shown = map;
    this.header.draw({ look, best: hide ? null : best, black, engineState: this.engine.state, analysis: this.analysis, on: settings.get('engine'), message: mode?.message ?? (this.review?.running ? this.words.t('engine.review') : null), target: this.depth, quiet: mode?.quiet || this.review?.running });
    this.lines.draw({ position, side: look.side, rows: hide ? [] : sorted, black, limit: settings.get('lines') });
    this.#drawFrame(look, node, hide, best);
    this.#drawTree(node, hide);
    if (this.hovered && !this.preview) this.loadPreview();
    else if (this.hovered) {
      this.preview.show(position, this.hoveredLine ?? [this.hovered], hide ? null : map.get(this.hovered), { black });
    } else this.preview?.rest();
    if (best || look.over || this.mode || !settings.get('engine')) this.valuesShown();
    performance.mark('painted');
  }

  #drawFrame(look, node, hide, best) {
    const { t } = this.words;
    const { tags } = this.study.tree;
    text($('#name-black'), tags.black || t('black'));
    text($('#name-white'), tags.white || t('white'));
    text($('#count-black'), String(look.black));
    text($('#count-white'), String(look.white));
    text($('#turn-black'), !look.over && look.side === 'X' ? t('turn') : '');
    text($('#turn-white'), !look.over && look.side === 'O' ? t('turn') : '');
    text($('#opening'), this.openings.along(node) ?? '');
    const point = hide ? null : look.over ? { value: look.margin, exact: true } : best ? { value: forBlack(best.value, look.side), exact: best.proof.kind === 'exact' } : this.points.get(node);
    const share = point ? 0.5 + Math.max(-64, Math.min(64, point.value)) / 128 : 0.5;
    $('#bar').firstElementChild.style.transform = `scaleY(${share.toFixed(3)})`;
    attr($('#bar'), 'aria-label', t('bar', { value: point ? disc(point.value, point.exact) : '–' }));
    const last = this.study.line.length - 1;
    text($('#where'), last > 0 ? t('where', { at: node.ply, last }) : '');
    const laid = this.mode?.look ? null : this.settings.get('overlay');
    text($('#legend'), laid ? t(`overlay.${laid}`) : '');
    const on = this.settings.get('engine');
    text($('#engine-switch'), t(on ? 'engine.switch.on' : 'engine.switch.off'));
    attr($('#engine-switch'), 'aria-pressed', String(on));
    attr($('.nav [data-do=values]'), 'aria-pressed', String(this.settings.get('values')));
    const empty = this.study.tree.root.children.length === 0;
    attr($('#start'), 'hidden', !empty || Boolean(this.mode));
    attr($('#move-tools'), 'hidden', empty);
    const silent = this.settings.get('engine') ? (empty ? 'empty.hint' : 'engine.thinking') : 'empty.off';
    text($('#lines-empty'), best && !hide ? '' : look.over ? t('game.over', { black: look.black, white: look.white }) : t(this.mode?.empty ?? silent));
  }

  #drawTree(node, hide) {
    const { points } = this;
    if (this.shownTree !== this.treeRevision) {
      this.shownTree = this.treeRevision;
      this.moves.build(this.study.tree);
    }
    this.moves.draw(node, (at) => {
      const point = hide ? null : points.get(at);
      if (!point) return null;
      const cost = lossOf(at, points);
      return { value: point.value, exact: point.exact, mistake: cost?.mistake, grade: cost?.grade, loss: cost?.loss, atLeast: cost?.atLeast ?? null, lossExact: cost?.exact };
    });
    const { line } = this.study;
    this.graph?.draw({
      points: line.map((at) => {
        const point = hide ? null : points.get(at);
        const cost = hide ? null : lossOf(at, points);
        return point && { value: point.value, exact: point.exact, error: cost?.error ?? 0, variation: !at.isMain, mistake: cost?.mistake ?? false, side: at.parent ? sideOf(at.parent.position) : null, loss: cost?.loss ?? 0 };
      }),
      cursor: line.indexOf(node),
      mode: this.settings.get('graphMode'),
      length: emptyCount(line[0].position),
      offer: line.length > 5 && !hide && !this.review?.running,
    });
  }

  /** The square a person would be shown for "play best", or null. */
  get bestMove() {
    if (this.mode?.hide) return null;
    return this.rows(this.study.position).sorted[0]?.move ?? null;
  }
}
