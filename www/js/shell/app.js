// The page: its parts, and their listeners.

import { load, loadPanelStyles, once, PartError, reload } from '../base/load.js';
import { START, sideOf } from '../base/position.js';
import { RenderScheduler } from '../base/render-scheduler.js';
import { ProtocolLog } from '../engine/protocol-log.js';
import { Analysis } from '../engine/searches.js';
import { Openings } from '../model/openings.js';
import { OwnNames } from '../model/own-names.js';
import { Perspective } from '../model/perspective.js';
import { Tree } from '../model/tree.js';
import { Values } from '../model/values.js';
import { Modes } from '../modes/modes.js';
import { Panels } from '../panels/panels.js';
import { AnalysisControl } from './analysis-control.js';
import { Screen } from './screen.js';

/** Interval at which the time of the analysis is drawn. */
const CLOCK_INTERVAL_MS = 1000;

export class App {
  /** The explorer, once it has started. @type {Explorer | null} */
  opened = null;
  /** Resolves when the received games are saved. @type {Promise<unknown>} */
  saving = Promise.resolve();
  /** @type {Map<string, Promise<Explorer>>} */
  #parts = new Map();

  /** `board` and `engine` are created before the rules are loaded.
   *  @param {{ study: Study, words: Translations, store: Store, settings: Settings, notices: Notices, board: Board, engine: Engine, program: Program }} start */
  constructor({ study, words, store, settings, notices, board, engine, program }) {
    const { rules } = study;
    this.rules = rules;
    this.study = study;
    this.words = words;
    this.t = words.t;
    this.store = store;
    this.settings = settings;
    this.notices = notices;
    this.board = board;
    this.engine = engine;
    this.program = program;

    this.log = new ProtocolLog();
    this.ownNames = new OwnNames(settings);
    this.openings = new Openings(rules, words);
    this.values = new Values(study, store);
    this.analysis = new Analysis(engine, this.values, rules);
    this.painter = new RenderScheduler(
      () => this.draw(),
      () => this.screen.drawFirst(),
    );
    this.modes = new Modes(this);
    this.perspective = new Perspective(this);
    this.control = new AnalysisControl(this);
    this.screen = new Screen(this);
    this.panels = new Panels(this);
    this.panels.get('moves');
    this.listen();
    setInterval(() => this.analysis.running && this.painter.later(), CLOCK_INTERVAL_MS);
  }

  /** Connects the parts: a change of one of them updates the others. */
  listen() {
    const { board, settings, words } = this;
    this.study.changed.listen((what) => {
      this.screen.turn(what);
      this.modes.current?.moved(what);
      this.painter.now();
    });
    this.modes.changed.listen(() => {
      this.screen.clear();
      if (this.modes.current?.quiet) this.analysis.finish();
      this.control.update();
      this.painter.now();
    });
    this.analysis.updated.listen(() => this.painter.later());
    words.changed.listen(() => {
      board.label();
      this.panels.relabel();
      this.modes.current?.relabel();
      this.painter.now();
    });
    settings.changed.listen((key) => {
      if (['engine', 'lines', 'depth'].includes(key)) this.control.update();
      if (['hash', 'threads', 'network', 'program'].includes(key)) this.control.restart();
      if (key === 'book') this.attempt(() => this.explorer());
      this.painter.now();
    });
  }

  draw() {
    this.control.follow();
    this.screen.draw();
  }

  /** Loads a module with the texts that the start does not need. @template {keyof Parts} P @param {P} path @returns {Promise<Parts[P]>} */
  async part(path) {
    const [part] = await Promise.all([load(path), this.words.load()]);
    return part;
  }

  /** Runs an action by its name, after the styles of what it opens are there. @param {string} name */
  async act(name) {
    await this.attempt(async () => {
      const [{ actions }] = await Promise.all([this.loadActions(), loadPanelStyles()]);
      await actions(this)[name]?.();
    });
  }

  loadActions() {
    return this.part('js/shell/actions.js');
  }

  taking() {
    return this.part('js/io/load.js');
  }

  explorer() {
    const create = ({ attachBooks, Explorer }) => {
      const explorer = new Explorer(this.store);
      attachBooks(this, explorer);
      this.opened = explorer;
      return explorer;
    };
    return once(this.#parts, 'explorer', () => this.part('js/model/explorer.js').then(create));
  }

  /** Saves games, the first of which is the current game. @param {(Game & Partial<GameRecord>)[]} games */
  saveGames(games) {
    const save = async () => /** @type {GamesPanel} */ (await this.panels.get('games')).add(games);
    this.saving = this.attempt(save);
    return this.saving;
  }

  /** Analyzes a received game, and shows its end until the worst mistake is known. @param {boolean} [stays] the position on the board
   *  was chosen, and stays */
  analyzeReceived(stays = false) {
    return this.attempt(async () =>
      /** @type {ReportPanel} */ (await this.panels.get('report')).receive(stays),
    );
  }

  /** Reports an error. @param {any} error @param {string} [key] of the notice */
  async fail(error, key) {
    const { t } = this.words;
    if (error instanceof PartError) {
      const action = reload(t('do.reload'));
      this.notices.show(t('part.failed'), { kind: 'fault', key: 'part', stay: 0, action });
      return;
    }
    // Without translations, the message of the error is shown.
    const told = await this.part('js/io/import.js').then(
      ({ errorText }) => errorText(error, this.words),
      () => String(error.message ?? error),
    );
    this.notices.show(told, { kind: 'fault', key });
  }

  /** Runs `work`, and reports its error. @template T @param {() => Promise<T> | T} work */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      return this.fail(error);
    }
  }

  /** Opens one of the dialogs. @param {keyof typeof import('./dialogs.js')} name @param {any[]} details */
  async dialog(name, ...details) {
    const dialogs = await this.part('js/shell/dialogs.js');
    /** @type {(...all: any[]) => void} */ (dialogs[name])(this, ...details);
  }

  /** The network of the engine: the small one if the large one could not be loaded. @returns {Network} */
  get network() {
    const { network, missed } = this.engine.info ?? {};
    return network ?? (missed ? 'small' : this.settings.get('network'));
  }

  /** A square was pressed. A press on an older state of the board is ignored.
   *  @param {string} move @param {number} [drawn] id of the drawn node */
  press(move, drawn) {
    const { modes, rules, study } = this;
    if (drawn !== undefined && drawn !== study.node.id) return;
    if (modes.current?.press(move)) return;
    if (!rules.isLegal(study.position, move)) return;
    if (modes.current?.mayPlay() === false) return;
    this.playMove(move);
  }

  /** @param {string} move a legal one @returns {TreeNode} */
  playMove(move) {
    const { notices, rules, study, words } = this;
    const node = study.play(move);
    const { over, black, white } = rules.look(node.position);
    if (over) notices.say(words.t('game.over', { black, white }));
    else if (node.passed) this.reportPass(node.position);
    return node;
  }

  /** Reports that the other side had to pass. @param {string} position after the pass */
  reportPass(position) {
    const { modes, notices, words } = this;
    const side = words.side(sideOf(position) === 'X' ? 'O' : 'X');
    // The bar of the mode says it.
    if (modes.current?.tellsPass) return notices.say(words.t('game.passes', { side }));
    return notices.show(words.t('game.passes', { side }), { key: 'pass', stay: 3000 });
  }

  /** Plays a line of the engine as a variation. @param {string[]} moves */
  playLine(moves) {
    const { modes, study } = this;
    if (modes.current?.takesLines === false) return;
    this.attempt(() => study.play(...moves));
  }

  /** Opens a tree. @param {Tree} tree @param {TreeNode} [node] @param {string} [label] of its undo */
  loadTree(tree, node, label) {
    this.modes.leave();
    this.study.load(tree, node, label);
  }

  /** Opens a game at its end. @param {{ start?: string, moves: string, given?: number }} game @param {string} [label] of its undo */
  openGame({ start = START, moves, given }, label) {
    const tree = new Tree(this.rules, { start, moves }, { given });
    this.loadTree(tree, tree.main.at(-1), label);
  }

  offerUpdate() {
    const { t } = this.words;
    this.notices.show(t('update.ready'), { key: 'update', stay: 0, action: reload(t('do.update')) });
  }
}
