// The side from which the views show values: the side of the user in the game on the board, otherwise Black, or what the settings say.

import { SIDES, sideOf } from '../base/position.js';

/** The tag of a game that names the player of a side. @param {Side} side */
export const playerTag = (side) => (side === 'X' ? 'black' : 'white');

export class Perspective {
  /** The side of the user in each game, `null` if the user is neither player. @type {WeakMap<Tree, Side | null>} */
  #chosen = new WeakMap();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    app.modes.changed.listen(() => {
      const { colour } = /** @type {any} */ (app.modes.current ?? {});
      if (SIDES.includes(colour)) this.#chosen.set(app.study.tree, colour);
    });
  }

  /** The side of the user in the game, `null` if the user is neither player, `undefined` if it is unknown. */
  get own() {
    const { ownNames, study } = this.app;
    const { tree } = study;
    return this.#chosen.has(tree) ? this.#chosen.get(tree) : (ownNames.sideIn(tree.tags) ?? undefined);
  }

  /** Records the side of the user in the game, and the user's name. @param {Side | null} side */
  choose(side) {
    const { ownNames, painter, study } = this.app;
    this.#chosen.set(study.tree, side);
    const name = side && study.tree.tags[playerTag(side)];
    if (name) ownNames.add(name);
    painter.now();
  }

  /** Forgets the side of the user in the game, and the name by which it is known. */
  forget() {
    const { ownNames, painter, study } = this.app;
    const { own } = this;
    this.#chosen.delete(study.tree);
    if (own) ownNames.remove(study.tree.tags[playerTag(own)] ?? '');
    painter.now();
  }

  /** The side of the graph and of lists: the user's, or Black. @returns {Side} */
  get home() {
    return (this.app.settings.get('viewer') !== 'black' && this.own) || 'X';
  }

  /** The side of the values of a position: as in lists, or the side to move. @returns {Side} */
  get side() {
    const { settings, study } = this.app;
    return settings.get('viewer') === 'mover' ? sideOf(study.position) : this.home;
  }

  /** The factor of values for Black in lists. */
  get homeSign() {
    return this.home === 'X' ? 1 : -1;
  }

  /** The factor of values for `side`: 1 or -1. @param {Side} side */
  sign(side = 'X') {
    return side === this.side ? 1 : -1;
  }
}
