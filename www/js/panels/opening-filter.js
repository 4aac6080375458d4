// Which games count: by player and his side, tournament and years.

import { h } from '../base/dom.js';

const WAIT_MS = 200;
/** A year that is not typed to its end yet is none. */
const FIRST_YEAR = 1000;

export class OpeningFilter {
  #timer = 0;

  /** @param {Translations} words @param {() => void} changed */
  constructor(words, changed) {
    this.words = words;
    this.changed = changed;
    const field = (type, more = {}) =>
      h('input', { type, autocomplete: 'off', oninput: () => this.#later(), ...more });
    const year = { inputmode: 'numeric', min: FIRST_YEAR, max: 2100 };
    this.fields = {
      player: field('search'),
      side: h('select', { onchange: () => this.#now() }),
      tournament: field('search'),
      from: field('number', year),
      to: field('number', year),
    };
    this.labels = Object.fromEntries(Object.keys(this.fields).map((name) => [name, h('span')]));
    this.summary = h('summary');
    this.clear = h('button.plain', { onclick: () => this.#clear() });
    this.root = h(
      'details.fold',
      this.summary,
      h(
        'div.fields',
        ...Object.entries(this.fields).map(([name, input]) =>
          h('label', { class: `by-${name}` }, this.labels[name], input),
        ),
        this.clear,
      ),
    );
  }

  /** @returns {GamesWanted} */
  get wanted() {
    const { player, side, tournament, from, to } = this.fields;
    const year = (input) => (Number(input.value) >= FIRST_YEAR ? Math.floor(Number(input.value)) : null);
    return {
      player: player.value.trim(),
      side: player.value.trim() && side.value ? side.value : null,
      tournament: tournament.value.trim(),
      from: year(from),
      to: year(to),
    };
  }

  /** Whether not all games count. */
  get active() {
    const { player, tournament, from, to } = this.wanted;
    return Boolean(player || tournament || from !== null || to !== null);
  }

  relabel() {
    const { t } = this.words;
    for (const [name, label] of Object.entries(this.labels)) label.textContent = t(`openings.${name}`);
    const { side } = this.fields;
    const { value } = side;
    const options = [
      ['', t('openings.either')],
      ['X', t('black')],
      ['O', t('white')],
    ];
    side.replaceChildren(...options.map(([value, text]) => h('option', { value }, text)));
    side.value = value;
    this.clear.textContent = t('openings.all');
    this.#draw();
  }

  #draw() {
    const { t } = this.words;
    const { player, side, tournament, from, to } = this.wanted;
    const years = from !== null || to !== null ? `${from ?? ''}–${to ?? ''}` : '';
    const who = player && side ? `${player} (${t(side === 'X' ? 'black' : 'white')})` : player;
    const told = [who, tournament, years].filter(Boolean).join(', ');
    this.summary.textContent = told ? t('openings.filtered', { what: told }) : t('openings.filter');
    this.clear.disabled = !this.active;
    this.fields.side.disabled = !player;
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#now(), WAIT_MS);
  }

  #now() {
    clearTimeout(this.#timer);
    this.#draw();
    this.changed();
  }

  #clear() {
    for (const input of Object.values(this.fields)) input.value = '';
    this.#now();
    this.fields.player.focus();
  }
}
