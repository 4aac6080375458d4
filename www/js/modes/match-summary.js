// The summary of a finished match below the board: the result, and the worst mistake of the user as a lesson.

import { button, each, v } from '../base/dom.js';
import { lossSize } from '../base/format.js';
import { SIDES, squareIndex } from '../base/position.js';
import { miniBoard } from '../board/mini-board.js';
import { Review } from '../engine/searches.js';
import { Mode } from './mode.js';

/** A finished match, and what was saved of it before it ended. @typedef {{ match: Match, before: KeptMatch | null }} Played */

/** @param {App} app @param {Played} played */
export const create = (app, played) => new Summary(app, played);

class Summary extends Mode {
  /** The revision of the values that were drawn, -1 after a step of the review. */
  #drawn = -1;

  /** @param {App} app @param {Played} played */
  constructor(app, { match, before }) {
    super(app);
    this.match = match;
    this.before = before;
    this.outcome = /** @type {MatchOutcome} */ (match.outcome);
    this.line = match.head.path;
    this.review = new Review(app, () => {
      this.#drawn = -1;
      app.painter.later();
    });
  }

  start() {
    // The analysis of the position on the board may find another best move.
    const { values, screen } = this.app;
    this.unlisten = screen.drawn.listen(() => values.revision !== this.#drawn && this.update());
    this.review.start(this.line);
    this.draw();
    this.app.notices.say(this.headline);
  }

  /** The result as a sentence. */
  get headline() {
    const { match, outcome, t } = this;
    const { result, ending } = outcome;
    const { black, white } = this.app.rules.look(match.head.position);
    const [more, less] = black > white ? [black, white] : [white, black];
    if (result === 0) return t('match.drawn', { more, less });
    const [winner, loser] = (result > 0 ? ['black', 'white'] : ['white', 'black']).map((side) => t(side));
    const who = match.colour.length !== 1 ? 'side' : result > 0 === (match.colour === 'X') ? 'won' : 'lost';
    return t(`match.${ending ?? 'over'}.${who}`, { winner, loser, more, less });
  }

  /** The lesson: the position before the worst mistake of the users, or of both sides if the engine played alone, with the played
   *  and the better move. Until it is known, the end of the game. @param {ReturnType<App['values']['summary']>} sums */
  #lesson(sums) {
    const { review, t } = this;
    const { colour, first, head } = this.match;
    const sides = SIDES.filter((side) => !colour || colour.includes(side));
    const mistakes = sides.flatMap((side) => sums[side].mistakes).filter(({ node }) => node.ply > first);
    const worst = review.running ? undefined : mistakes.sort((a, b) => b.loss - a.loss)[0];
    const node = /** @type {TreeNode} */ (worst ? worst.node.parent : head);
    const [played, better] = [worst?.node.move, worst?.best].map((move) => move && squareIndex(move));
    const share = `${Math.round(100 * review.progress)}\u202f%`;
    const told = worst
      ? [
          v('b', t('match.lesson', { number: worst.node.ply })),
          v('span.played', t('match.lessonPlayed', { move: worst.node.move, loss: lossSize(worst) })),
          v('span.better', t('match.lessonBetter', { move: worst.best })),
        ]
      : t(review.running ? 'match.looking' : 'match.noLesson', { share });
    const board = miniBoard(node.position, { played, better, label: t('match.summary') });
    const show = { key: 'lesson', onclick: () => this.app.study.go(node) };
    return v('button.plain.lesson', show, board, v('span', told));
  }

  /** The accuracy of both sides, and the help that was used. @param {ReturnType<App['values']['summary']>} sums */
  #facts(sums) {
    const { used } = this.match;
    const { black = this.t('black'), white = this.t('white') } = this.app.study.tree.tags;
    const [X, O] = SIDES.map((side) => (this.review.running ? '…' : (sums[side].accuracy ?? '–')));
    const help = used.hints + used.takeBacks > 0 && this.t('match.helpUsed', { ...used });
    return [`${this.t('match.accuracy')} ${black} ${X} · ${white} ${O}`, help].filter(Boolean);
  }

  get bar() {
    const { app, before, outcome, t } = this;
    this.#drawn = app.values.revision;
    const { colour, first, head, setup } = this.match;
    const moves = head.moves.slice(0, first).join('');
    const again = { ...setup, start: this.line[0].position, moves, given: app.study.tree.tags.given };
    const begin = (wanted) => app.modes.begin('match', wanted);
    const resumed = outcome.ending === 'resigned' && before;
    const other = { X: 'O', O: 'X' }[colour];
    const sums = app.values.summary(this.line);
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
        each('p.muted', this.#facts(sums), (fact) => v('span', fact)),
      ),
    ];
  }

  end() {
    this.unlisten?.();
    this.review.stop();
    super.end();
  }
}
