// The header of the engine: value, depth and confidence, speed, time, and the button that starts and stops it.

import { $, attr, patch, text, v } from '../base/dom.js';
import { clock, disc, mark } from '../base/format.js';
import { forBlack } from '../base/position.js';
import { isExact, isProven } from '../engine/evaluation.js';

/** Depth of a search to the end of the game. */
const MAX_DEPTH = 60;

export class Header {
  /** `on` takes `engine()` and `deeper()`. */
  constructor(root, words, on) {
    const part = (name) => $(`[data-part=${name}]`, root);
    this.words = words;
    this.value = part('value');
    this.figures = $('.figures', root);
    this.depth = part('depth');
    this.facts = part('speed');
    this.toggle = part('toggle');
    this.progress = part('progress');
    this.toggle.addEventListener('click', () => (this.deepens ? on.deeper() : on.engine()));
  }

  /** `{ look, best, black, engineState, analysis, on, message, notes, target, quiet }`. `notes` replace the figures. */
  draw(state) {
    const { t, compact } = this.words;
    const { look, best, black, engineState, analysis, on, message, notes, target, quiet } = state;
    const proof = best?.proof;
    const shown = look.over
      ? { value: look.margin, exact: true }
      : best && { value: black ? forBlack(best.value, look.side) : best.value, exact: isExact(proof) };
    text(this.value, shown ? disc(shown.value, shown.exact) : '\u2013');
    attr(this.value, 'hidden', Boolean(message) && !shown);
    text(this.depth, this.#line(state));
    const kind = notes ? 'notes' : message || engineState === 'manual' ? 'note' : '';
    attr(this.figures, 'class', `figures ${kind}`.trim());
    const { elapsed, nodes, speed } = analysis;
    const figures = [
      speed && t('engine.speed', { speed: compact(speed) }),
      elapsed >= 0.1 && clock(elapsed),
      nodes && t('engine.nodes', { nodes: compact(nodes) }),
    ].filter(Boolean);
    // The last facts are cut off if there is no room.
    attr(this.facts, 'hidden', look.over && !notes);
    patch(
      this.facts,
      (notes ?? figures).map((fact) => v('span', fact)),
    );
    // A search that has reached its depth can go deeper, unless it is exact.
    const ended = on && analysis.done && !analysis.running && engineState === 'idle';
    this.deepens = ended && Boolean(best);
    const isFinal = this.deepens && (isExact(proof) || target >= MAX_DEPTH);
    attr(this.toggle, 'hidden', Boolean(quiet) || look.over || isFinal);
    text(this.toggle, t(analysis.running ? 'engine.stop' : this.deepens ? 'engine.deeper' : 'engine.start'));
    attr(this.toggle, 'class', analysis.running ? 'plain' : 'solid');
    const ratio = !proof ? 0 : isProven(proof) ? 1 : Math.min(1, (proof.depth ?? 0) / target);
    this.progress.style.transform = `scaleX(${ratio.toFixed(3)})`;
  }

  #line({ look, best, engineState, analysis, on, message }) {
    const { t } = this.words;
    const proof = best?.proof;
    if (look.over) return t('game.over', { black: look.black, white: look.white });
    if (message) return message;
    if (['starting', 'crashed', 'manual'].includes(engineState)) return t(`engine.${engineState}`);
    if (isExact(proof)) return t('engine.exact');
    if (proof?.kind === 'outcome') return t(`engine.outcome.${proof.outcome}`);
    const depth = (proof?.depth ?? null) !== null && t('engine.depth', { depth: proof.depth });
    if (best) return [depth, mark(proof)].filter(Boolean).join(' ·\u00a0');
    return t(analysis.running ? 'engine.thinking' : on && analysis.done ? 'engine.silent' : 'engine.off');
  }
}
