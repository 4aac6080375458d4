// Schedules repaints: after a user action the board in the next frame and everything in a task after it; at most eight times per second
// for the engine.

const MIN_INTERVAL_MS = 125;

export class RenderScheduler {
  /** @param {() => void} draw @param {() => void} drawFirst what answers the user at once */
  constructor(draw, drawFirst = () => {}) {
    this.draw = draw;
    this.drawFirst = drawFirst;
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
    this.frame ||= requestAnimationFrame(() => {
      // In the next frame, the drawing and its layout would be one task.
      setTimeout(() => this.frame && this.flush());
      this.drawFirst();
    });
  }

  flush() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.frame = 0;
    this.timer = 0;
    this.draw();
  }
}
