// The engine's header: value, depth and confidence, speed, time, and the switch that stops it.

import { $, attr, text } from './dom.js';
import { clock, disc, forBlack, mark } from './values.js';

export class Header {
  constructor(root, words, onToggle) {
    this.words = words;
    this.value = $('[data-part=value]', root);
    this.figures = $('.figures', root);
    this.depth = $('[data-part=depth]', root);
    this.speed = $('[data-part=speed]', root);
    this.toggle = $('[data-part=toggle]', root);
    this.progress = $('[data-part=progress]', root);
    this.toggle.addEventListener('click', onToggle);
  }

  /** `{ look, best, black, engineState, analysis, on, message, target, quiet }`. */
  draw({ look, best, black, engineState, analysis, on, message, target, quiet }) {
    attr(this.toggle, 'hidden', Boolean(quiet));
    const { t } = this.words;
    const shown = look.over
      ? { value: look.margin, exact: true }
      : best && { value: black ? forBlack(best.value, look.side) : best.value, exact: best.proof.kind === 'exact' };
    text(this.value, shown ? disc(shown.value, shown.exact) : '\u2013');
    const sign = best ? mark(best.proof) : '';
    let line;
    if (look.over) line = t('game.over', { black: look.black, white: look.white });
    else if (message) line = message;
    else if (engineState === 'starting') line = t('engine.starting');
    else if (engineState === 'dead') line = t('engine.dead');
    else if (engineState === 'manual') line = t('engine.manual');
    else if (best?.proof.kind === 'exact') line = t('engine.exact');
    else if (best?.proof.kind === 'outcome') line = t(`engine.outcome.${best.proof.outcome}`);
    else if (best?.proof.depth !== undefined && best.proof.depth !== null) {
      line = [t('engine.depth', { depth: best.proof.depth }), sign].filter(Boolean).join(' · ');
    } else if (best) line = sign;
    else line = t(analysis.running ? 'engine.thinking' : on && analysis.done ? 'engine.silent' : 'engine.off');
    text(this.depth, line);
    attr(this.figures, 'class', message ? 'figures note' : 'figures');
    const speed = analysis.speed;
    const parts = [];
    if (speed) parts.push(t('engine.speed', { speed: this.words.compact(speed) }));
    if (analysis.nodes) parts.push(t('engine.nodes', { nodes: this.words.compact(analysis.nodes) }));
    if (analysis.elapsed >= 0.1) parts.push(clock(analysis.elapsed));
    text(this.speed, parts.join(' · ') || '\u00a0');
    text(this.toggle, t(analysis.running ? 'engine.stop' : 'engine.start'));
    attr(this.toggle, 'aria-pressed', String(analysis.running));
    const proof = best?.proof;
    const ratio = !proof ? 0 : proof.level >= 900 ? 1 : Math.min(1, (proof.depth ?? 0) / target);
    this.progress.style.transform = `scaleX(${ratio.toFixed(3)})`;
  }
}
