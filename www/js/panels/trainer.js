// The lines that are trained: what is due of them, and where a run is begun. It stands in the panel of the puzzles; what
// else begins one calls `app.modes.begin('trainer', setup)` (see `TrainerSetup`).

import { h } from '../base/dom.js';
import { START } from '../base/position.js';
import { repertoireOf } from '../model/repertoire.js';
import { splitMoves } from '../model/rules.js';

/** @type {[unit: Intl.RelativeTimeFormatUnit, ms: number][]} */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** What a line is called: by its name, or by that of the last opening on its way. @param {App} app @param {TrainerLine} line */
export function titleOf({ openings, rules, words }, { moves, names }) {
  if (names) return words.pick(names);
  let position = START;
  /** @type {string | null} */
  let title = null;
  for (const move of splitMoves(moves)) {
    if (!rules.isLegal(position, move)) break;
    ({ position } = rules.play(position, move));
    title = openings.name(position) ?? title;
  }
  return title ?? words.t('trainer.unnamed');
}

export class TrainerList {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.root = h('section.trainer', { 'aria-labelledby': 'trainer-title' });
    this.repertoire = repertoireOf(app.store, app.rules);
    this.repertoire.changed.listen(() => this.draw());
  }

  /** Begins a run. @param {TrainerSetup} setup */
  async #begin(setup = {}) {
    try {
      await this.app.modes.begin('trainer', setup);
    } catch (error) {
      this.app.fail(error);
    }
  }

  draw() {
    const { app, repertoire } = this;
    const { t } = app.words;
    const due = repertoire.due().length;
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const focused = this.root.contains(active) ? active?.dataset.focus : null;
    this.root.replaceChildren(
      h('h2', { id: 'trainer-title' }, t('trainer.title')),
      h('p.muted', t('trainer.intro')),
      h(
        'div.under',
        due > 0 &&
          h(
            'button.solid',
            { data: { focus: 'due' }, onclick: () => this.#begin({ due: true }) },
            t('trainer.due', { n: due }),
          ),
        h('button.plain', { data: { focus: 'choose' }, onclick: () => this.#begin() }, t('trainer.choose')),
      ),
      repertoire.lines.length > 0
        ? h(
            'ul.trained',
            repertoire.lines.map((line) => this.#row(line)),
          )
        : '',
    );
    if (focused)
      /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-focus="${focused}"]`))?.focus();
  }

  /** @param {TrainerLine} line */
  #row(line) {
    const { app, repertoire } = this;
    const { t } = app.words;
    const title = titleOf(app, line);
    const side = (/** @type {Side} */ side) => {
      const progress = repertoire.of(line, side);
      const name = t(side === 'X' ? 'black' : 'white');
      const when = progress ? this.#when(progress) : '';
      return h(
        'button',
        {
          class: progress && progress.due <= Date.now() ? 'plain due' : 'plain',
          data: { focus: line.moves + side },
          'aria-label': [t('trainer.trainAs', { line: title, side: name }), when].filter(Boolean).join(', '),
          onclick: () => this.#begin({ lines: [line], side }),
        },
        h('span', { class: `dot ${side === 'X' ? 'black' : 'white'}` }),
        h('small', when || '–'),
      );
    };
    return h(
      'li',
      h('span.what', h('span', title), h('small', line.moves)),
      side('X'),
      side('O'),
      h(
        'button.icon',
        {
          data: { focus: `${line.moves}-` },
          'aria-label': t('trainer.remove', { line: title }),
          onclick: () => this.#remove(line),
        },
        '×',
      ),
    );
  }

  /** @param {TrainerLine} line */
  #remove(line) {
    const { app, repertoire } = this;
    const { t } = app.words;
    const before = ['X', 'O'].map((side) => repertoire.of(line, /** @type {Side} */ (side)));
    repertoire.remove(line);
    app.notices.show(t('trainer.removed', { line: titleOf(app, line) }), {
      key: 'trainer',
      action: { label: t('do.undo'), run: () => repertoire.restore(line, before) },
    });
  }

  /** When a side of a line comes back. @param {Progress} progress */
  #when({ due, tries }) {
    const { language, t } = this.app.words;
    const left = due - Date.now();
    if (tries === 0) return t('trainer.new');
    if (left <= 0) return t('trainer.now');
    const [unit, ms] = UNITS.find(([, ms]) => left >= ms) ?? ['minute', 60_000];
    return new Intl.RelativeTimeFormat(language, { style: 'narrow' }).format(Math.ceil(left / ms), unit);
  }
}
