// The side from which every view shows values: the side of the user in the game on the board, otherwise Black.

import { SIDES } from '../base/position.js';

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

  /** @returns {Side} */
  get side() {
    return (!this.app.settings.get('black') && this.own) || 'X';
  }

  /** The factor of values for `side`: 1 or -1. @param {Side} side */
  sign(side = 'X') {
    return side === this.side ? 1 : -1;
  }
}
