// Decides when the page's engine analyzes the position on the board.

import { DEPTHS } from '../io/settings.js';

export class AnalysisControl {
  reviewing = false;
  /** The study has changed; more than the cursor has. */
  #moved = false;
  #grown = false;
  /** A position that is searched deeper than others. @type {{ position: string, depth: number } | null} */
  #deeper = null;
  /** Called when the engine has another network than the coarse one. */
  #whole = () => {};
  /** Resolves then. @type {Promise<void>} */
  whole = new Promise((resolve) => {
    this.#whole = resolve;
  });

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const { engine, log, painter } = app;
    engine.on = {
      line: (direction, line) => log.add(direction, line),
      // With `later` the first values, which follow at once, would wait for the next repaint.
      state: () => painter.now(),
      ready: (info) => this.#ready(info),
      better: () => this.restart(),
      crash: (message, again) => this.#crashed(message, again),
    };
    if (engine.info) {
      log.add('out', 'nboard 2');
      this.#ready(engine.info);
    }
    document.addEventListener('visibilitychange', () => this.update());
    app.study.changed.listen((what) => {
      this.#moved = true;
      this.#grown ||= what !== 'move';
    });
  }

  /** Follows a change of the study, after the board has been drawn: the answer to a press does not wait for it. */
  follow() {
    if (!this.#moved) return;
    if (this.#grown) this.recall();
    this.#moved = false;
    this.#grown = false;
    this.update();
  }

  /** Reads the stored values of the game. */
  recall() {
    const { painter, study, values } = this.app;
    for (const { position } of study.tree.main)
      values.recall(position).then((found) => found && painter.later());
  }

  /** @param {EngineInfo} info */
  #ready(info) {
    // A running request would report to values that are dropped now.
    if (!this.app.values.isBy(info)) this.app.analysis.reset(null);
    this.app.values.engineIs(info, this.app.network);
    this.recall();
    if (!info.coarse) this.#whole();
    const { notices, program, words } = this.app;
    if (program.isNews) notices.show(words.t('engine.ended'), { key: 'program' });
    program.isNews = false;
    if (info.lacks) notices.show(words.t(`engine.lacks.${info.lacks}`), { key: 'lacks' });
    if (info.missed)
      notices.show(words.t('engine.missed', { detail: info.missed }), { kind: 'fault', key: 'network' });
    this.update();
  }

  /** @param {string} message @param {boolean} again another worker starts */
  #crashed(message, again) {
    const { t } = this.app.words;
    this.app.log.add('note', message);
    this.app.analysis.reset(null);
    // The next engine reports the end of the program.
    if (this.app.program.isNews && again) return this.update();
    this.app.notices.show(t(again ? 'engine.restarted' : 'engine.gaveUp', { detail: message }), {
      kind: 'fault',
      key: 'crash',
      action: again ? null : { label: t('engine.again'), run: () => this.revive() },
    });
    if (again) this.update();
    return undefined;
  }

  /** Depth of the search: the setting, or the requested depth for this position. */
  get depth() {
    const depth = this.app.settings.get('depth');
    const deeper = this.#deeper;
    return deeper && deeper.position === this.app.study.position ? Math.max(depth, deeper.depth) : depth;
  }

  /** Starts, restarts or stops the analysis according to the state of the page. */
  update() {
    const { analysis, engine, modes, rules, settings, study } = this.app;
    const position = modes.current?.analyzed ?? study.position;
    const isOff = !settings.get('engine') || engine.state === 'crashed' || document.hidden;
    if (isOff || this.reviewing || modes.current?.quiet || rules.look(position).over) {
      if (!modes.current?.usesEngine) analysis.finish();
      if (analysis.position !== position) analysis.reset(position);
      return;
    }
    const { depth } = this;
    const lines = settings.get('lines');
    const isSame = analysis.position === position && analysis.limit === depth && analysis.lines === lines;
    if (analysis.done && isSame) return;
    analysis.run(position, { lines, depth });
    this.app.values.recall(position).then((found) => found && this.app.painter.now());
  }

  /** Searches the position on the board deeper. The report follows. */
  deepen() {
    const { depth } = this;
    this.app.values.release();
    const { position } = this.app.study;
    this.#deeper = { position, depth: DEPTHS.find((deeper) => deeper > depth) ?? depth };
    this.update();
    this.app.painter.now();
  }

  /** Switches the engine on or off. If it is on but does not work, restarts it. */
  toggle() {
    const { analysis, engine, modes, settings } = this.app;
    const stands = settings.get('engine') && !analysis.running && !analysis.done && !modes.current?.quiet;
    if (['manual', 'crashed'].includes(engine.state) || stands) {
      settings.set('engine', true);
      this.revive();
    } else settings.toggle('engine');
    this.app.painter.now();
  }

  /** Makes the engine work for the page again after crashes or after console input. */
  revive() {
    this.app.engine.revive();
    this.app.analysis.reset(null);
    this.app.modes.current?.resume();
    this.update();
  }

  /** Changes between the engine of the program and that of the browser, or looks for a program that had ended. */
  change() {
    const { program, settings } = this.app;
    const looks = program.hasEnded && settings.get('program');
    program.hasEnded = false;
    if (looks) this.restart();
    else settings.toggle('program');
  }

  /** Replaces the worker by one with the current settings. */
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
