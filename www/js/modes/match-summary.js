// The summary of a finished match below the board: the result, the accuracy of both sides, and the turning point.

import { button, each, v } from '../base/dom.js';
import { disc } from '../base/format.js';
import { Review } from '../engine/queue.js';
import { Mode } from './mode.js';

/** Least time between two drawings during the review. */
const DRAW_INTERVAL_MS = 400;

/** A finished match, and what was saved of it before it ended. @typedef {{ match: Match, before: KeptMatch | null }} Played */

/** @param {App} app @param {Played} played */
export async function create(app, played) {
  return new Summary(app, played);
}

class Summary extends Mode {
  #timer = 0;

  /** @param {App} app @param {Played} played */
  constructor(app, { match, before }) {
    super(app);
    this.match = match;
    this.before = before;
    this.outcome = /** @type {MatchOutcome} */ (match.outcome);
    this.line = match.head.path;
    this.review = new Review(app, () => {
      app.painter.later();
      if (!this.review.running) this.#show();
      else this.#timer ||= setTimeout(() => this.#show(), DRAW_INTERVAL_MS);
    });
  }

  start() {
    this.review.start(this.line.map(({ position }) => position));
    this.draw();
    this.app.notices.say(this.headline);
  }

  #show() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.app.modes.current === this) this.draw();
  }

  /** The result as a sentence. */
  get headline() {
    const { match, outcome } = this;
    const { black, white } = this.app.rules.look(match.head.position);
    const mine = match.colour === 'X' ? outcome.result : -outcome.result;
    if (outcome.ending === 'resigned') return this.t('match.resigned');
    if (outcome.ending === 'timed-out') {
      const side = this.t(outcome.result > 0 ? 'white' : 'black');
      return this.t(mine > 0 ? 'match.wonOnTime' : 'match.lostOnTime', { side });
    }
    return this.t(mine > 0 ? 'match.won' : mine < 0 ? 'match.lost' : 'match.drawn', { black, white });
  }

  /** Facts below the result, as pairs of name and content. @returns {any[][]} */
  get facts() {
    const { review, t } = this;
    const { scores } = this.app;
    const { colour, opponentName, setup, used } = this.match;
    const sums = scores.summary(this.line);
    const figure = (side) => (review.running ? '…' : String(sums[side].accuracy ?? '–'));
    const share = `${Math.round(100 * review.progress)}\u202f%`;
    const aids = [
      setup.hints && t('match.hintsUsed', { n: used.hints }),
      setup.takeBack && t('match.takenBack', { n: used.takeBacks }),
    ].filter(Boolean);
    const theirs = `${opponentName} ${figure(colour === 'X' ? 'O' : 'X')}`;
    const turn = review.running ? t('match.looking', { share }) : this.#turn(scores.turningPoint(this.line));
    return [
      [t('match.accuracy'), `${t('match.you')} ${figure(colour)} · ${theirs}`],
      [t('match.turningPoint'), turn],
      ...(aids.length > 0 ? [[t('match.aids'), aids.join(' · ')]] : []),
    ];
  }

  /** @param {TreeNode | null | undefined} node */
  #turn(node) {
    const { scores, study, words } = this.app;
    const [before, after] = [node?.parent, node].map((at) => at && scores.at(at).point);
    if (!node || !before || !after) return words.t(node === null ? 'match.noTurn' : 'match.unknownTurn');
    const label = words.t('match.turn', {
      number: node.ply,
      move: node.move,
      before: disc(before.value, before.exact),
      after: disc(after.value, after.exact),
    });
    return button(label, () => study.go(node), { class: 'text', data: { focus: 'turn' }, key: 'turn' });
  }

  get bar() {
    const { app, before, outcome, t } = this;
    const { colour, setup } = this.match;
    const start = this.line[0].position;
    const rematch = { ...setup, colour: /** @type {Side} */ (colour === 'X' ? 'O' : 'X'), start };
    const begin = (wanted) => app.modes.begin('match', wanted);
    const resumed = outcome.ending === 'resigned' && before;
    return [
      v(
        'div.match-sum',
        { role: 'group', 'aria-label': t('match.summary') },
        v('strong', this.headline),
        each('dl', this.facts, ([name, fact]) => v('div', v('dt', name), v('dd', fact))),
        v(
          'div.buttons',
          button(t('match.review'), () => app.act('review'), { class: 'solid' }),
          button(t('match.rematch'), () => begin(rematch)),
          button(t('match.newGame'), () => begin(undefined)),
          resumed && button(t('match.goOn'), () => begin({ kept: before })),
          button(t('do.close'), () => this.leave()),
        ),
      ),
    ];
  }

  end() {
    clearTimeout(this.#timer);
    this.review.stop();
    super.end();
  }
}
