// The summary of a finished match below the board: the result, and the worst mistake of the user as a lesson.

import { button, each, v } from '../base/dom.js';
import { lossSize } from '../base/format.js';
import { SIDES, squareIndex } from '../base/position.js';
import { miniBoard } from '../board/mini-board.js';
import { Review } from '../engine/queue.js';
import { Mode } from './mode.js';

/** A finished match, and what was saved of it before it ended. @typedef {{ match: Match, before: KeptMatch | null }} Played */

/** @param {App} app @param {Played} played */
export async function create(app, played) {
  return new Summary(app, played);
}

class Summary extends Mode {
  /** @param {App} app @param {Played} played */
  constructor(app, { match, before }) {
    super(app);
    this.match = match;
    this.before = before;
    this.outcome = /** @type {MatchOutcome} */ (match.outcome);
    this.line = match.head.path;
    this.review = new Review(app, () => {
      app.painter.later();
      if (app.modes.current === this) this.update();
    });
  }

  start() {
    this.review.start(this.line.map(({ position }) => position));
    this.draw();
    this.app.notices.say(this.headline);
  }

  /** The result as a sentence. */
  get headline() {
    const { match, outcome, t } = this;
    const { result, ending } = outcome;
    const { black, white } = this.app.rules.look(match.head.position);
    const [winner, loser] = (result > 0 ? ['black', 'white'] : ['white', 'black']).map((side) => t(side));
    const isAlone = SIDES.some((side) => side === match.colour);
    const isMine = isAlone && result > 0 === (match.colour === 'X');
    if (ending === 'resigned') return t(isAlone ? 'match.resigned' : 'match.sideResigned', { side: loser });
    if (ending)
      return t(!isAlone ? 'match.onTime' : isMine ? 'match.wonOnTime' : 'match.lostOnTime', { side: loser });
    if (result === 0) return t('match.drawn');
    const [more, less] = black > white ? [black, white] : [white, black];
    if (!isAlone) return t('match.sideWon', { side: winner, mine: more, theirs: less });
    return isMine
      ? t('match.won', { mine: more, theirs: less })
      : t('match.lost', { mine: less, theirs: more });
  }

  /** The worst mistake of the users in the match, or of both sides if the engine played alone.
   *  @param {ReturnType<App['scores']['summary']>} sums */
  #worst(sums) {
    const { colour, first } = this.match;
    const mistakes = SIDES.filter((side) => !colour || colour.includes(side)).flatMap(
      (side) => sums[side].mistakes,
    );
    return mistakes.filter(({ node }) => node.ply > first).sort((a, b) => b.loss - a.loss)[0];
  }

  /** The lesson: the position before the worst mistake, with the played and the better move. Until it is known, the end of the game.
   *  @param {ReturnType<App['scores']['summary']>} sums */
  #lesson(sums) {
    const { match, review, t } = this;
    const worst = review.running ? undefined : this.#worst(sums);
    const node = /** @type {TreeNode} */ (worst ? worst.node.parent : match.head);
    const [played, better] = [worst?.node.move, worst?.best].map((move) => move && squareIndex(move));
    const share = `${Math.round(100 * review.progress)}\u202f%`;
    const told = worst
      ? [
          v('b', t('match.lesson', { number: worst.node.ply })),
          v('span.played', t('match.lessonPlayed', { move: worst.node.move, loss: lossSize(worst) })),
          v('span.better', t('match.lessonBetter', { move: worst.best })),
        ]
      : v('span', review.running ? t('match.looking', { share }) : t('match.noLesson'));
    const board = miniBoard(node.position, { played, better, label: t('match.summary') });
    const show = { key: 'lesson', onclick: () => this.app.study.go(node) };
    return v('button.plain.lesson', show, board, v('span', told));
  }

  /** The accuracy of both sides, and the help that was used. @param {ReturnType<App['scores']['summary']>} sums */
  #facts(sums) {
    const { review, t } = this;
    const { hints, takeBacks } = this.match.used;
    const { black, white } = this.app.study.tree.tags;
    const figure = (side) => (review.running ? '…' : String(sums[side].accuracy ?? '–'));
    return [
      `${t('match.accuracy')} ${black ?? t('black')} ${figure('X')} · ${white ?? t('white')} ${figure('O')}`,
      hints + takeBacks > 0 && t('match.helpUsed', { hints, takeBacks }),
    ];
  }

  get bar() {
    const { app, before, outcome, t } = this;
    const { colour, first, head, setup } = this.match;
    const again = { ...setup, start: this.line[0].position, moves: head.moves.slice(0, first).join('') };
    const begin = (wanted) => app.modes.begin('match', wanted);
    const resumed = outcome.ending === 'resigned' && before;
    const other = { X: 'O', O: 'X' }[colour];
    const sums = app.scores.summary(this.line);
    return [
      v(
        'div.match-sum',
        { role: 'group', 'aria-label': t('match.summary') },
        v('strong', this.headline),
        v('button.icon', { 'aria-label': t('do.close'), onclick: () => this.leave() }, '×'),
        this.#lesson(sums),
        v(
          'div.buttons',
          button(t('match.review'), () => app.act('review'), { class: 'solid' }),
          button(t('match.rematch'), () => begin(again)),
          button(t('match.newGame'), () => begin(undefined)),
          resumed && button(t('match.goOn'), () => begin({ kept: before })),
          other && button(t('match.otherSide'), () => begin({ ...again, colour: other })),
        ),
        each('p.muted', this.#facts(sums).filter(Boolean), (fact) => v('span', fact)),
      ),
    ];
  }

  end() {
    this.review.stop();
    super.end();
  }
}
