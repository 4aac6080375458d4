// The engine's header: value, depth and confidence, speed, time, and the switch that stops it.

import { $, attr, h, text } from '../base/dom.js';
import { clock, disc, mark } from '../base/format.js';
import { forBlack } from '../base/position.js';
import { isExact, isProven } from '../engine/proof.js';

export class Header {
  /** `on` takes `engine()` and `deeper()`. */
  constructor(root, words, on) {
    this.words = words;
    this.value = $('[data-part=value]', root);
    this.figures = $('.figures', root);
    this.depth = $('[data-part=depth]', root);
    // What has no room falls off at the end: the count of nodes first, or what a mode says of itself, which stands in
    // the room of the lines as well.
    this.facts = [0, 1, 2, 3, 4, 5].map(() => h('span'));
    $('[data-part=speed]', root).append(...this.facts);
    this.toggle = $('[data-part=toggle]', root);
    this.progress = $('[data-part=progress]', root);
    this.toggle.addEventListener('click', () => (this.deepens ? on.deeper() : on.engine()));
  }

  /** `{ look, best, black, engineState, analysis, on, message, notes, target, quiet }`: `notes` stand where the figures of the
   *  engine have nothing to say. */
  draw({ look, best, black, engineState, analysis, on, message, notes, target, quiet }) {
    const { t } = this.words;
    const shown = look.over
      ? { value: look.margin, exact: true }
      : best && { value: black ? forBlack(best.value, look.side) : best.value, exact: isExact(best.proof) };
    text(this.value, shown ? disc(shown.value, shown.exact) : '\u2013');
    attr(this.value, 'hidden', Boolean(message) && !shown);
    const sign = best ? mark(best.proof) : '';
    let line;
    if (look.over) line = t('game.over', { black: look.black, white: look.white });
    else if (message) line = message;
    else if (engineState === 'starting') line = t('engine.starting');
    else if (engineState === 'crashed') line = t('engine.crashed');
    else if (engineState === 'manual') line = t('engine.manual');
    else if (isExact(best?.proof)) line = t('engine.exact');
    else if (best?.proof.kind === 'outcome') line = t(`engine.outcome.${best.proof.outcome}`);
    else if (best?.proof.depth !== undefined && best.proof.depth !== null) {
      line = [t('engine.depth', { depth: best.proof.depth }), sign].filter(Boolean).join(' ·\u00a0');
    } else if (best) line = sign;
    else
      line = t(analysis.running ? 'engine.thinking' : on && analysis.done ? 'engine.silent' : 'engine.off');
    text(this.depth, line);
    attr(
      this.figures,
      'class',
      notes ? 'figures notes' : message || engineState === 'manual' ? 'figures note' : 'figures',
    );
    const speed = analysis.speed;
    const figures = [
      speed && t('engine.speed', { speed: this.words.compact(speed) }),
      analysis.elapsed >= 0.1 && clock(analysis.elapsed),
      analysis.nodes && t('engine.nodes', { nodes: this.words.compact(analysis.nodes) }),
    ].filter(Boolean);
    const facts = notes ?? figures;
    attr(this.facts[0].parentNode, 'hidden', look.over && !notes);
    for (const [i, fact] of this.facts.entries()) text(fact, facts[i] ?? '');
    // A search that has reached its depth can only go deeper, one that is exact nowhere.
    const ended = on && analysis.done && !analysis.running && engineState === 'idle';
    this.deepens = ended && Boolean(best);
    attr(
      this.toggle,
      'hidden',
      Boolean(quiet) || look.over || (this.deepens && (isExact(best.proof) || target >= 60)),
    );
    text(this.toggle, t(analysis.running ? 'engine.stop' : this.deepens ? 'engine.deeper' : 'engine.start'));
    attr(this.toggle, 'class', analysis.running ? 'plain' : 'solid');
    const proof = best?.proof;
    const ratio = !proof ? 0 : isProven(proof) ? 1 : Math.min(1, (proof.depth ?? 0) / target);
    this.progress.style.transform = `scaleX(${ratio.toFixed(3)})`;
  }
}
