// The last line of the card: value, depth and confidence, speed, time, and the button that starts and stops the engine.

import { $, attr, patch, text, v } from '../base/dom.js';
import { clock, disc, isExact, isProven, mark } from '../base/format.js';
import { MAX_DEPTH } from '../engine/searches.js';

/** The signs of the button. */
const SIGNS = { stop: 'M6 6h8v8H6z', start: 'M7 5l8 5-8 5z', deeper: 'M5 5l5 5 5-5M5 11l5 5 5-5' };

export class EngineLine {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    const part = (name) => $(`[data-part=${name}]`, root);
    this.app = app;
    this.root = root;
    this.value = part('value');
    this.figures = $('.figures', root);
    this.toggle = part('toggle');
    this.progress = part('progress');
    this.program = part('program');
    this.program.addEventListener('click', () => app.control.change());
    this.toggle.addEventListener('click', () => (this.deepens ? app.control.deepen() : app.act('engine')));
  }

  /** @param {Scene} scene */
  draw({ look, best: known, sign, hide }) {
    const { analysis, control, engine, modes, perspective, settings, words } = this.app;
    const { t, compact } = words;
    const best = hide ? null : known;
    const proof = best?.proof;
    const target = control.depth;
    const isQuiet = modes.current?.quiet || control.reviewing;
    const shown = look.over
      ? { value: perspective.sign() * look.margin, exact: true }
      : best && { value: sign * best.value, exact: isExact(proof) };
    text(this.value, shown ? disc(shown.value, shown.exact) : '\u2013');
    attr(this.value, 'hidden', isQuiet && !shown);
    const side = words.side(perspective.side);
    const { elapsed, nodes, speed } = analysis;
    const figures = [
      speed && t('engine.speed', { speed: compact(speed) }),
      elapsed >= 0.1 && clock(elapsed),
      nodes && t('engine.nodes', { nodes: compact(nodes) }),
    ];
    const line = this.#line(look, best, sign, isQuiet);
    // The last facts are cut off if there is no room.
    const facts = [
      shown && v('span', { key: 'side', title: t('value.from', { side }) }, t('value.for', { side })),
      line && v('span', { key: 'depth', data: { part: 'depth' } }, line),
      ...(look.over || isQuiet ? [] : figures).map((fact) => fact && v('span', fact)),
    ].filter(Boolean);
    patch(this.figures, facts);
    // A search that has reached its depth can go deeper, unless it is exact.
    const ended = settings.get('engine') && analysis.done && !analysis.running && engine.state === 'idle';
    this.deepens = ended && Boolean(best);
    const isFinal = this.deepens && (isExact(proof) || target >= MAX_DEPTH);
    attr(this.toggle, 'hidden', isQuiet || look.over || isFinal);
    const act = analysis.running ? 'stop' : this.deepens ? 'deeper' : 'start';
    for (const name of ['aria-label', 'title']) attr(this.toggle, name, t(`engine.${act}`));
    attr($('path', this.toggle), 'd', SIGNS[act]);
    const ratio = !proof ? 0 : isProven(proof) ? 1 : Math.min(1, (proof.depth ?? 0) / target);
    this.#drawProgram();
    this.progress.style.transform = `scaleX(${ratio.toFixed(3)})`;
    attr(this.root, 'hidden', isQuiet && facts.length === 0 && this.program.hidden);
  }

  /** Draws which engine is used, if there is a choice. */
  #drawProgram() {
    const { engine, program, words } = this.app;
    attr(this.program, 'hidden', !program.isKnown);
    if (!program.isKnown || !engine.info) return;
    const { hash, threads } = engine.info;
    const memory = hash && (hash < 1024 ? `${hash} MiB` : `${words.number(hash / 1024)} GiB`);
    const name = words.t(hash ? 'engine.program' : 'engine.browser', { n: threads || 1, memory });
    text($('.sr', this.program), name);
    attr(this.program, 'title', `${name}. ${words.t('engine.change')}`);
  }

  /** @param {Look} look @param {Row | null} best @param {number} sign @param {boolean} isQuiet no analysis is expected */
  #line({ over, black, white }, best, sign, isQuiet) {
    const { analysis, engine, settings, t } = this.app;
    const proof = best?.proof;
    if (over) return t('game.over', { black, white });
    if (['starting', 'crashed', 'manual'].includes(engine.state)) return t(`engine.${engine.state}`);
    if (isExact(proof)) return t('engine.exact');
    if (proof?.kind === 'outcome') return t(`engine.outcome.${mark(proof, sign)}`);
    const plies = proof?.depth ?? null;
    if (proof?.kind === 'book' && plies !== null) return t('engine.bookLine', { n: plies });
    const depth = plies !== null && t('engine.depth', { depth: plies });
    if (best) return [depth, mark(proof)].filter(Boolean).join(' ·\u00a0');
    if (isQuiet) return '';
    if (analysis.running) return t('engine.thinking');
    return t(settings.get('engine') && analysis.done ? 'engine.silent' : 'engine.off');
  }
}
