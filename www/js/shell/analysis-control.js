// When the engine works, and on what: the position on the board, unless a mode or the review wants it otherwise.

import { DEPTHS } from '../io/settings.js';

export class AnalysisControl {
  /** Whether a whole game is being analysed. */
  reviewing = false;
  /** A position that is to be searched deeper than others. @type {{ position: string, depth: number } | null} */
  #deeper = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const { engine, log, painter } = app;
    engine.on = {
      line: (direction, line) => log.hear(direction, line),
      // Not `later`: the first values, which follow at once, would wait for their turn behind it.
      state: () => painter.now(),
      ready: (info) => this.#ready(info),
      crash: (message, again) => this.#crashed(message, again),
    };
    if (engine.info) {
      log.hear('out', 'nboard 2');
      this.#ready(engine.info);
    }
    document.addEventListener('visibilitychange', () => this.update());
    app.study.changed.listen((what) => what !== 'move' && this.#recall());
  }

  /** Recalls what was known of the game at an earlier visit. */
  #recall() {
    const { evaluations, painter, study } = this.app;
    for (const { position } of study.tree.main)
      evaluations.recall(position).then((found) => found && painter.later());
  }

  /** @param {EngineInfo} info */
  #ready(info) {
    // What was asked for before would be told to what is now dropped.
    if (!this.app.evaluations.isBy(info)) this.app.analysis.reset(null);
    this.app.evaluations.engineIs(info);
    this.#recall();
    const { notices, words } = this.app;
    if (info.lacks) notices.show(words.t(`engine.lacks.${info.lacks}`), { key: 'lacks' });
    if (info.missed)
      notices.show(words.t('engine.missed', { detail: info.missed }), { kind: 'fault', key: 'network' });
    this.update();
  }

  /** @param {string} message @param {boolean} again whether another worker is on its way */
  #crashed(message, again) {
    const { t } = this.app.words;
    this.app.log.add('note', message);
    this.app.analysis.reset(null);
    this.app.notices.show(t(again ? 'engine.restarted' : 'engine.gaveUp', { detail: message }), {
      kind: 'fault',
      key: 'crash',
      action: again ? null : { label: t('engine.again'), run: () => this.revive() },
    });
    if (again) this.update();
  }

  /** Plies to search the position on the board: as set, or as deep as it was asked to go here. */
  get depth() {
    const depth = this.app.settings.get('depth');
    const deeper = this.#deeper;
    return deeper && deeper.position === this.app.study.position ? Math.max(depth, deeper.depth) : depth;
  }

  /** Whether nothing is to be analysed now. */
  get #rests() {
    const { settings, modes, rules, study } = this.app;
    return (
      !settings.get('engine') ||
      document.hidden ||
      modes.current?.quiet ||
      this.reviewing ||
      rules.look(study.position).over
    );
  }

  /** Starts, moves or stops the analysis, as the state of the page wants it. */
  update() {
    const { analysis, engine, modes, settings, study } = this.app;
    const { position } = study;
    if (this.#rests || engine.state === 'crashed') {
      if (!modes.current?.usesEngine) analysis.finish();
      if (analysis.position !== position) analysis.reset(position);
      return;
    }
    const { depth } = this;
    const lines = settings.get('lines');
    if (
      analysis.done &&
      analysis.position === position &&
      analysis.limit === depth &&
      analysis.lines === lines
    )
      return;
    analysis.run(position, { lines, depth });
    this.app.evaluations.recall(position).then((found) => found && this.app.painter.now());
  }

  /** Searches the position on the board deeper. */
  deepen() {
    const { depth } = this;
    this.#deeper = {
      position: this.app.study.position,
      depth: DEPTHS.find((deeper) => deeper > depth) ?? depth,
    };
    this.update();
    this.app.painter.now();
  }

  /** Switches the engine; where it is switched on already but does not work, it is set to work. */
  toggle() {
    const { analysis, engine, modes, settings } = this.app;
    const stands = settings.get('engine') && !analysis.running && !analysis.done && !modes.current?.quiet;
    if (['manual', 'crashed'].includes(engine.state) || stands) {
      settings.set('engine', true);
      this.revive();
    } else settings.toggle('engine');
    this.app.painter.now();
  }

  /** The engine works for the page again, whether it was given up or driven from the console. */
  revive() {
    this.app.engine.revive();
    this.app.analysis.reset(null);
    this.app.modes.current?.resume();
    this.update();
  }

  /** Ends the worker and starts another, with the table and the network that are now wanted. */
  restart() {
    this.app.engine.end();
    this.app.engine.info = null;
    this.revive();
  }

  /** Sends a line from the console. @param {string} line */
  raw(line) {
    const { analysis, engine, notices, painter, words } = this.app;
    if (engine.raw(line)) {
      analysis.running = false;
      painter.later();
    } else notices.show(words.t('engine.starting'));
  }
}
