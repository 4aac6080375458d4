// When to repaint: at once for what a person did, at most eight times a second for what the engine says.

const GAP_MS = 125;

export class RenderScheduler {
  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
    /** When the engine's news were or will be painted last. */
    this.last = -Infinity;
    this.timer = 0;
    this.frame = 0;
    /** Milliseconds of the latest and the longest repaint. */
    this.cost = { latest: 0, longest: 0, count: 0 };
  }

  /** Something the engine said has to be shown. */
  later() {
    if (this.timer || this.frame) return;
    const now = performance.now();
    const wait = Math.max(0, this.last + GAP_MS - now);
    this.last = now + wait;
    this.timer = setTimeout(() => this.flush(), wait);
  }

  /** Something a person did has to be shown in the next frame. */
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
    const start = performance.now();
    this.draw();
    const cost = performance.now() - start;
    this.cost.latest = cost;
    this.cost.longest = Math.max(this.cost.longest, cost);
    this.cost.count++;
  }
}
