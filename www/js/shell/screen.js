// The parts that are always visible: the board and its frame, the lines of the engine, the graph, and the preview.
// The screen draws the state of the page. Each view decides how.

import { $, attr, text } from '../base/dom.js';
import { commonMark, disc } from '../base/format.js';
import { sideOf, squareIndex, squareName } from '../base/position.js';
import { Signal } from '../base/signal.js';
import { attachMarking } from '../board/marking.js';
import { overlay } from '../board/overlays.js';
import { toggleMark, writeMarks } from '../model/marks.js';
import { statesOf } from '../model/rules.js';
import { EngineLine } from '../panels/engine-line.js';
import { Lines } from '../panels/lines.js';

/** Most moves that leave the graph more room. */
const FEW_MOVES = 4;
/** Most discs of a line that are drawn. */
const MAX_GHOSTS = 9;
/** Rows of a position without values. */
const EMPTY = { rows: new Map(), sorted: [], best: null, sign: 1 };

export class Screen {
  /** The page was drawn. @type {Signal<[]>} */
  drawn = new Signal();
  /** The hovered move, with the line that it starts. @type {string[] | null} */
  #hovered = null;
  /** Rows that were drawn last, and rows that remain visible for a moment after a move. @type {Map<string, Row> | null} */
  #shown = null;
  /** @type {Map<string, Row> | null} */
  #stale = null;
  /** The views that the first values do not wait for, once they are loaded. @type {any} */
  #views = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const { board, notices } = app;
    /** Resolves when the engine's first values are shown, or there will be none. @type {Promise<void>} */
    this.valued = new Promise((resolve) => {
      this.valuesShown = resolve;
    });
    board.on = {
      play: (square, drawn) => app.press(squareName(square), drawn),
      hover: (square) => this.hover(square === null ? null : [squareName(square)]),
      speak: (label) => notices.say(label),
    };
    attachMarking(board.grid, {
      // A long press is a press where a mode has the board.
      canMark: () => !app.modes.current,
      mark: (mark) => {
        const { node } = app.study;
        app.study.comment(node, writeMarks(node.comment, { marks: toggleMark(node.marks, mark) }));
      },
      step: (by) => {
        const { children, parent } = app.study.node;
        if (app.modes.current?.swipes === false || !(by > 0 ? children[0] : parent)) return false;
        app.act(by > 0 ? 'forward' : 'back');
        return true;
      },
    });
    this.engineLine = new EngineLine($('#engine'), app);
    this.lines = new Lines($('#lines-body'), app);
  }

  /** Loads the views that the first values do not wait for. */
  loadViews() {
    const { app } = this;
    return app.attempt(async () => {
      const [{ attachGraph }, { HiddenValuesPanel }, { NextStep }, { OpeningBoards }, { Preview }] =
        await Promise.all([
          app.part('js/panels/graph.js'),
          app.part('js/panels/hidden-values.js'),
          app.part('js/panels/next-step.js'),
          app.part('js/panels/opening-boards.js'),
          app.part('js/panels/preview.js'),
        ]);
      const hidden = new HiddenValuesPanel($('#lines'), app);
      const [next, preview] = [new NextStep($('#task'), app), new Preview($('#preview'), app)];
      const boards = new OpeningBoards($('#explore'), app);
      this.#views = { boards, drawGraph: attachGraph($('#graph'), app), hidden, next, preview };
      // Without a drawing the slider has no name.
      app.painter.now();
    });
  }

  /** @param {string[] | null} line a move, with the line that it starts */
  hover(line) {
    const { modes, painter, rules, study } = this.app;
    const isFree = !modes.current?.look && !modes.current?.onBoard.waits;
    const hovered = line && isFree && rules.isLegal(study.position, line[0]) ? line : null;
    if (String(this.#hovered) === String(hovered)) return;
    this.#hovered = hovered;
    painter.now();
  }

  /** The study has changed: no move is hovered, and the old values disappear after a moment. @param {string} what changed */
  turn(what) {
    // On a phone, the board is at the top.
    if (what === 'load') scrollTo(0, 0);
    this.#stale = this.#shown;
    this.#hovered = null;
  }

  /** Speaks the current move and the discs it turned. */
  announce() {
    const { notices, rules, study, t } = this.app;
    const { move, parent } = study.node;
    if (!parent || !move) return notices.say(t('say.start'));
    const flips = rules.play(parent.position, move).flips.map(squareName).join(' ');
    const side = this.app.words.side(sideOf(parent.position));
    return notices.say(t('say.move', { side, move, flips }));
  }

  /** A mode started or ended: old values disappear. */
  clear() {
    this.#stale = null;
    this.#hovered = null;
  }

  /** The state to draw. @returns {Scene} */
  #scene() {
    const { modes, perspective, rules, values, study } = this.app;
    const hide = modes.current?.hide ?? false;
    const own = modes.current?.look;
    const position = own ? own.squares + own.side : study.position;
    if (own && (hide || own.legal.length === 0)) return { ...EMPTY, position, look: own, hide };
    const { map, sorted, best } = values.rows(position);
    const look = own ?? rules.look(position);
    return { position, look, rows: map, sorted, best, sign: perspective.sign(look.side), hide };
  }

  /** The move of "play best", or `null` if it is hidden or unknown. */
  get bestMove() {
    const { best, hide } = this.#scene();
    return (!hide && best?.move) || null;
  }

  /** The next move of the line, if it is a mistake and values are visible. @returns {Mistake | null} */
  get mistake() {
    const { modes, values, study } = this.app;
    const [node] = study.node.children;
    if (!node || modes.current?.hide || modes.current?.look) return null;
    const loss = values.loss(node);
    return loss?.mistake ? { node, ...loss } : null;
  }

  /** Shows the refutation of a mistake. */
  refute() {
    if (!this.app.modes.current) this.#views?.next.refute();
  }

  /** Draws the discs only: they answer a press within a frame. Values follow in the next one. */
  drawFirst() {
    const { modes, rules, study } = this.app;
    const own = modes.current?.look;
    this.app.board.drawFirst(this.#discs(own ?? rules.look(study.position)));
  }

  draw() {
    const scene = this.#scene();
    const { best, look } = scene;
    const { modes, settings } = this.app;
    if (best || !settings.get('engine')) this.#stale = null;
    this.#drawBoard(scene);
    this.#stale = null;
    this.#shown = scene.rows;
    this.engineLine.draw(scene);
    this.lines.draw(scene);
    this.#views?.hidden.draw(scene.hide && !modes.current?.look);
    this.#drawFrame(scene);
    this.#views?.boards.draw(scene.hide);
    this.#views?.drawGraph(scene);
    const moves = this.#hovered;
    if (moves) this.#views?.preview.show(scene.position, moves, scene.hide ? null : scene.rows.get(moves[0]));
    else this.#views?.preview.rest();
    this.drawn.send();
    this.#views?.next.draw(this.mistake);
    const isValued = best && this.app.engine.state !== 'starting';
    if (isValued || look.over || modes.current || !settings.get('engine')) this.valuesShown();
  }

  get #overlay() {
    return this.app.modes.current?.overlay ?? this.app.settings.get('overlay');
  }

  /** The part of the state of the board without values. @param {Look} look */
  #discs(look) {
    const { modes, rules, study } = this.app;
    const isFree = !modes.current?.look;
    const { classes, numbers } = overlay(isFree ? this.#overlay : null, rules, study.node);
    const { waits, marks, turns } = modes.current?.onBoard ?? {};
    const position = look.squares + look.side;
    return {
      drawn: study.node.id,
      look: waits ? { ...look, legal: [] } : look,
      last: isFree ? study.node.move : (look.last ?? null),
      flips: this.#hovered ? rules.play(position, this.#hovered[0]).flips : null,
      overlay: marks ?? look.marks ?? classes,
      open: modes.current?.open ?? false,
      turns,
      numbers,
    };
  }

  #drawBoard({ position, look, rows, sorted, best, sign, hide }) {
    const { board, modes, settings, study, values } = this.app;
    const { mistake } = this;
    const bests = mistake ? values.bests(mistake) : [];
    const tags = new Map(bests.map((move) => [move, 'better'])).set(mistake?.node.move, 'played');
    // Where a mistake is shown, the squares show losses: those of its two moves are those of the report.
    const losses = mistake && new Map(bests.map((move) => [move, 0])).set(mistake.node.move, mistake.loss);
    board.draw({
      ...this.#discs(look),
      values: hide ? null : rows,
      best: best?.value ?? null,
      common: commonMark(sorted),
      sign,
      brief: !settings.get('decimals'),
      tags,
      losses,
      show: settings.get('values') && !hide,
      ghosts: settings.get('ghosts') && settings.get('values') && !hide ? this.#ghosts(position, rows) : null,
      userMarks: modes.current && !modes.current.showsMarks ? [] : study.node.marks,
      stale: this.#stale,
    });
  }

  /** The discs of the line of the hovered move: the color and the number of each. @param {string} position @param {Map<string, Row>} rows */
  #ghosts(position, rows) {
    const [move] = this.#hovered ?? [];
    const line = (move && rows.get(move)?.pv) || [];
    let side = sideOf(position);
    return new Map(
      statesOf(this.app.rules, position, line.slice(0, MAX_GHOSTS)).map(({ move, position: after }, i) => {
        const ghost = [side === 'X' ? 'b' : 'w', i + 1];
        side = sideOf(after);
        return [squareIndex(move), ghost];
      }),
    );
  }

  /** Draws names, counts and labels around the board. @param {Scene} scene */
  #drawFrame({ look, best, hide }) {
    const { modes, openings, perspective, values, settings, study, t, words } = this.app;
    const { node, tree } = study;
    const sign = perspective.sign();
    for (const color of /** @type {const} */ (['black', 'white'])) {
      text($(`#name-${color}`), tree.tags[color] || t(color));
      text($(`#count-${color}`), String(look[color]));
      text($(`#turn-${color}`), !look.over && (look.side === 'X') === (color === 'black') ? t('turn') : '');
    }
    text($('#opening'), (modes.current?.look ? look.title : openings.along(node)) ?? '');
    const point = hide || modes.current?.look ? null : values.at(node).point;
    const share = point ? 0.5 + Math.max(-64, Math.min(64, sign * point.value)) / 128 : 0.5;
    $('#bar').style.setProperty('--share', share.toFixed(3));
    const side = words.side(perspective.side);
    attr($('#bar'), 'data-side', perspective.side);
    const value = point ? disc(sign * point.value, point.exact) : '–';
    attr($('#bar'), 'aria-label', t('bar', { side, value }));
    const last = study.line.length - 1;
    text($('#where'), last > 0 && !modes.current?.look ? t('where', { at: node.ply, last }) : '');
    const laid = modes.current?.look ? null : this.#overlay;
    text($('#legend'), laid ? t(`overlay.${laid}`) : '');
    const on = settings.get('engine');
    text($('#engine-switch .word'), t(on ? 'engine.switch.on' : 'engine.switch.off'));
    attr($('#engine-switch'), 'aria-pressed', String(on));
    attr($('.nav [data-do=values]'), 'aria-pressed', String(settings.get('values')));
    const { played, solution } = modes.current ?? {};
    attr($('main'), 'data-hidden', hide || Boolean(played));
    const few = !hide && Math.min(look.legal.length, settings.get('lines')) <= FEW_MOVES;
    if (!modes.current?.look) attr($('main'), 'data-few', few);
    const silent = on ? (tree.root.children.length === 0 ? 'empty.hint' : 'engine.thinking') : 'empty.off';
    const result = look.over && t('game.over', { black: look.black, white: look.white });
    const shown = solution || played || (best && !hide) || (hide && !modes.current?.look && this.#views);
    text($('#lines-empty'), shown ? '' : result || t(modes.current?.empty ?? silent));
  }
}
