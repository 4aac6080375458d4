// The names that the user has in games: a setting, so it is stored on this device and shared by all tabs.

const MAX_NAMES = 20;

/** Names that differ in case, width or spaces are equal. @param {string} name */
const keyOf = (name) => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** @param {string[]} list @param {string} name */
const without = (list, name) => list.filter((own) => keyOf(own) !== keyOf(name));

export class OwnNames {
  /** @param {Settings} settings its signal `changed` reports the key `names` */
  constructor(settings) {
    this.settings = settings;
  }

  /** The newest name first. @returns {string[]} */
  list() {
    return this.settings.get('names');
  }

  /** @param {string | null | undefined} name */
  isOwn(name) {
    return typeof name === 'string' && this.list().some((own) => keyOf(own) === keyOf(name));
  }

  /** The side of the user, or `null` if neither or both are. @param {Partial<Game>} game @returns {Side | null} */
  sideIn({ black, white }) {
    const [isBlack, isWhite] = [this.isOwn(black), this.isOwn(white)];
    return isBlack === isWhite ? null : isBlack ? 'X' : 'O';
  }

  /** The name that is in all of several games, if it is the only one and no name of them is known. @param {Partial<Game>[]} games */
  guess(games) {
    const [first, ...others] = games;
    const names = [first?.black, first?.white].filter(
      (name) => name && others.every(({ black, white }) => black === name || white === name),
    );
    const known = games.some(({ black, white }) => this.isOwn(black) || this.isOwn(white));
    return others.length > 0 && names.length === 1 && !known ? names[0] : null;
  }

  /** Remembers a name. @param {string} name */
  add(name) {
    if (keyOf(name) === '' || this.isOwn(name)) return;
    this.settings.change('names', (list) => [name.trim(), ...without(list, name)].slice(0, MAX_NAMES));
  }

  /** Forgets a name. @param {string} name */
  remove(name) {
    if (this.isOwn(name)) this.settings.change('names', (list) => without(list, name));
  }
}
