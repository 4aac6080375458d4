// Selects which games count: by player and side, tournament and years.

import { button, h, options, patch, v } from '../base/dom.js';

const DELAY_MS = 200;
/** Least number that is a year. A shorter number is still being typed. */
const MIN_YEAR = 1000;

export class OpeningFilter {
  #timer = 0;

  /** @param {HTMLElement} root @param {Translations} words @param {() => void} changed */
  constructor(root, words, changed) {
    this.root = root;
    this.words = words;
    this.changed = changed;
    const later = () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#now(), DELAY_MS);
    };
    const field = (type, more = {}) => h('input', { type, autocomplete: 'off', oninput: later, ...more });
    const year = { inputmode: 'numeric', min: MIN_YEAR, max: 2100 };
    this.fields = {
      player: field('search'),
      side: h('select', { onchange: () => this.#now() }),
      tournament: field('search'),
      from: field('number', year),
      to: field('number', year),
    };
  }

  /** @returns {GamesWanted} */
  get wanted() {
    const { player, side, tournament, from, to } = this.fields;
    const year = (input) => (Number(input.value) >= MIN_YEAR ? Math.floor(Number(input.value)) : null);
    return {
      player: player.value.trim(),
      side: player.value.trim() && side.value ? side.value : null,
      tournament: tournament.value.trim(),
      from: year(from),
      to: year(to),
    };
  }

  /** Some games are excluded. */
  get active() {
    const { player, tournament, from, to } = this.wanted;
    return Boolean(player || tournament || from !== null || to !== null);
  }

  draw() {
    const { t } = this.words;
    const { player, side, tournament, from, to } = this.wanted;
    const years = from !== null || to !== null ? `${from ?? ''}–${to ?? ''}` : '';
    const who = player && side ? `${player} (${t(side === 'X' ? 'black' : 'white')})` : player;
    const what = [who, tournament, years].filter(Boolean).join(', ');
    const sides = { '': t('openings.either'), X: t('black'), O: t('white') };
    patch(this.fields.side, options(Object.entries(sides)));
    this.fields.side.disabled = !player;
    patch(
      this.root,
      v(
        'details.fold',
        v('summary', what ? t('openings.filtered', { what }) : t('openings.filter')),
        v(
          'div.fields',
          Object.entries(this.fields).map(([name, input]) =>
            v('label', { class: `by-${name}` }, v('span', t(`openings.${name}`)), input),
          ),
          button(t('openings.all'), () => this.#clear(), { key: 'all', disabled: !this.active }),
        ),
      ),
    );
  }

  #now() {
    clearTimeout(this.#timer);
    this.draw();
    this.changed();
  }

  #clear() {
    for (const input of Object.values(this.fields)) input.value = '';
    this.#now();
    this.fields.player.focus();
  }
}
