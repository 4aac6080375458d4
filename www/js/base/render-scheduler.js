// Schedules repaints: in the next frame after a user action, at most eight times per second for the engine.

const MIN_INTERVAL_MS = 125;

export class RenderScheduler {
  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
    /** Time of the last or next repaint for the engine. */
    this.last = -Infinity;
    this.timer = 0;
    this.frame = 0;
  }

  /** Repaints after a report of the engine. */
  later() {
    if (this.timer || this.frame) return;
    const now = performance.now();
    const wait = Math.max(0, this.last + MIN_INTERVAL_MS - now);
    this.last = now + wait;
    this.timer = setTimeout(() => this.flush(), wait);
  }

  now() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.frame ||= requestAnimationFrame(() => this.flush());
  }

  flush() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.frame = 0;
    this.timer = 0;
    this.draw();
  }
}
