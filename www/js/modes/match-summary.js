// What is said of a match after its end, below the board: the result, how well both sides played, where it turned.

import { h } from '../base/dom.js';
import { disc } from '../base/format.js';
import { Review } from '../engine/review.js';
import { accuracy } from '../model/accuracy.js';
import { summary } from '../model/summary.js';
import { turningPoint } from '../model/turning-point.js';
import { barButton } from './bar.js';
import { Mode } from './mode.js';

/** The game is drawn while it is looked at, but not after every position. */
const DRAW_MS = 400;

/**
 * @typedef {object} Played
 * @property {Side} colour the person's
 * @property {TreeNode} node the last position
 * @property {string} opponentName
 * @property {MatchOutcome} outcome
 * @property {MatchSetup} setup
 * @property {MatchAids} used
 * @property {KeptMatch | null} before the match before it ended
 */

/** @param {App} app @param {Played} played */
export async function create(app, played) {
  return new Summary(app, played);
}

export class Summary extends Mode {
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;

  /** @param {App} app @param {Played} played */
  constructor(app, played) {
    super(app);
    this.played = played;
    this.line = played.node.path;
    this.review = new Review({
      evaluations: app.evaluations,
      rules: app.rules,
      network: () => app.network,
      changed: () => {
        app.painter.later();
        this.#later();
      },
      // The engines of a review start again by themselves.
      trouble: () => {},
      outdated: () => app.offerUpdate(),
    });
  }

  start() {
    this.review.start(
      this.line.map(({ position }) => position),
      { depth: this.app.settings.get('reviewDepth'), workers: this.app.settings.get('workers') },
    );
    this.draw();
    this.app.notices.say(this.headline);
  }

  #later() {
    if (!this.review.running) this.#show();
    else this.#timer ??= setTimeout(() => this.#show(), DRAW_MS);
  }

  #show() {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.app.modes.current !== this) return;
    this.draw();
  }

  /** The result in a sentence. */
  get headline() {
    const { t } = this.app.words;
    const { colour, node, outcome } = this.played;
    const { black, white } = this.app.rules.look(node.position);
    const mine = colour === 'X' ? outcome.result : -outcome.result;
    if (outcome.ending === 'resigned') return t('match.resigned');
    if (outcome.ending === 'timed-out')
      return t(mine > 0 ? 'match.wonOnTime' : 'match.lostOnTime', {
        side: t(outcome.result > 0 ? 'white' : 'black'),
      });
    const key = mine > 0 ? 'match.won' : mine < 0 ? 'match.lost' : 'match.drawn';
    return t(key, { black, white });
  }

  /** What is told below it: `[name, text]`. @returns {[string, string | Node][]} */
  get facts() {
    const { app } = this;
    const { t } = app.words;
    const { colour, opponentName, setup, used } = this.played;
    const { points } = app.scores;
    const sums = summary(this.line, points);
    const running = this.review.running;
    const figure = (side) => {
      const share = accuracy(sums[side]);
      return running ? '…' : String(share ?? '–');
    };
    const turn = running ? null : turningPoint(this.line, points);
    const aids = [
      setup.hints && t('match.hintsUsed', { n: used.hints }),
      setup.takeBack && t('match.takenBack', { n: used.takeBacks }),
    ].filter(Boolean);
    return [
      [
        t('match.accuracy'),
        `${t('match.you')} ${figure(colour)} · ${opponentName} ${figure(colour === 'X' ? 'O' : 'X')}`,
      ],
      [t('match.turningPoint'), running ? t('match.looking', { share: this.#share }) : this.#turn(turn)],
      ...(aids.length > 0 ? [/** @type {[string, string]} */ ([t('match.aids'), aids.join(' · ')])] : []),
    ];
  }

  get #share() {
    return `${Math.round(100 * this.review.progress)}\u202f%`;
  }

  /** @param {TreeNode | null | undefined} node */
  #turn(node) {
    const { scores, study, words } = this.app;
    const before = node?.parent && scores.points.get(node.parent);
    const after = node && scores.points.get(node);
    if (!node || !before || !after) return words.t(node === null ? 'match.noTurn' : 'match.unknownTurn');
    return h(
      'button.text',
      { data: { focus: 'turn' }, onclick: () => study.go(node) },
      words.t('match.turn', {
        number: node.ply,
        move: node.move,
        before: disc(before.value, before.exact),
        after: disc(after.value, after.exact),
      }),
    );
  }

  get bar() {
    const { app } = this;
    const { t } = app.words;
    const { colour, outcome, setup, before } = this.played;
    const start = this.line[0].position;
    const again = { ...setup, colour: /** @type {Side} */ (colour === 'X' ? 'O' : 'X'), start };
    const begin = (wanted) => app.modes.begin('match', wanted).catch((error) => app.fail(error));
    const button = (name, label, run, props = {}) =>
      barButton(label, run, { ...props, data: { focus: name } });
    return [
      h(
        'div.match-sum',
        { role: 'group', 'aria-label': t('match.summary') },
        h('strong', this.headline),
        h(
          'dl',
          this.facts.map(([name, fact]) => h('div', h('dt', name), h('dd', fact))),
        ),
        h(
          'div.buttons',
          button('review', t('match.review'), () => app.act('review'), { class: 'solid' }),
          button('rematch', t('match.rematch'), () => begin(again)),
          button('new', t('match.newGame'), () => begin(undefined)),
          outcome.ending === 'resigned' && before
            ? button('goOn', t('match.goOn'), () => begin({ kept: before }))
            : null,
          button('close', t('do.close'), () => app.modes.leave()),
        ),
      ),
    ];
  }

  /** @param {Change} what */
  moved(what) {
    if (what === 'load') this.app.modes.leave();
  }

  end() {
    if (this.#timer) clearTimeout(this.#timer);
    this.review.stop();
    super.end();
  }
}
