// The trained lines, in the panel of the puzzles: when each is due, and buttons that start the trainer.

import { button, each, h, patch, v } from '../base/dom.js';
import { repertoireOf } from '../model/repertoire.js';
import { positionsOf } from '../model/rules.js';
import { View } from './view.js';

/** @type {[unit: Intl.RelativeTimeFormatUnit, ms: number][]} */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** The title of a line: its name, or that of the last opening on its way. @param {App} app @param {TrainerLine} line */
export function titleOf({ openings, rules, words }, { moves, names }) {
  if (names) return words.pick(names);
  const titles = positionsOf(rules, moves).map((position) => openings.name(position));
  return titles.findLast((title) => title !== null) ?? words.t('trainer.unnamed');
}

export class TrainerList extends View {
  /** @param {App} app */
  constructor(app) {
    super(h('section.trainer', { 'aria-labelledby': 'trainer-title' }), app);
    this.repertoire = repertoireOf(app.store, app.rules);
    this.repertoire.changed.listen(() => this.draw());
  }

  draw() {
    const { app, repertoire, t } = this;
    const due = repertoire.due().length;
    patch(
      this.root,
      v('h2', { id: 'trainer-title' }, t('trainer.title')),
      v('p.muted', t('trainer.intro')),
      v(
        'div.under',
        due > 0 &&
          button(t('trainer.due', { n: due }), () => app.modes.begin('trainer', { due: true }), {
            key: 'due',
            class: 'solid',
          }),
        button(t('trainer.choose'), () => app.modes.begin('trainer'), { key: 'choose' }),
      ),
      repertoire.lines.length > 0 && each('ul.trained', repertoire.lines, (line) => this.#row(line)),
    );
  }

  /** @param {TrainerLine} line */
  #row(line) {
    const title = titleOf(this.app, line);
    const label = this.t('trainer.remove', { line: title });
    const remove = { 'aria-label': label, onclick: () => this.#remove(line) };
    return v(
      'li',
      { key: line.moves },
      v('span.what', v('span', title), v('small', line.moves)),
      this.#side(line, 'X', title),
      this.#side(line, 'O', title),
      v('button.icon', remove, '×'),
    );
  }

  /** @param {TrainerLine} line @param {Side} side @param {string} title */
  #side(line, side, title) {
    const progress = this.repertoire.of(line, side);
    const color = side === 'X' ? 'black' : 'white';
    const when = progress ? this.#when(progress) : '';
    const label = [this.t('trainer.trainAs', { line: title, side: this.t(color) }), when]
      .filter(Boolean)
      .join(', ');
    return v(
      'button.plain',
      {
        class: progress && progress.due <= Date.now() ? 'due' : '',
        'aria-label': label,
        onclick: () => this.app.modes.begin('trainer', { lines: [line], side }),
      },
      v(`span.dot.${color}`),
      v('small', when || '–'),
    );
  }

  /** @param {TrainerLine} line */
  #remove(line) {
    const { app, repertoire, t } = this;
    const restore = repertoire.remove(line);
    app.notices.show(t('trainer.removed', { line: titleOf(app, line) }), {
      key: 'trainer',
      action: { label: t('do.undo'), run: restore },
    });
  }

  /** The time until a side of a line is due. @param {Progress} progress */
  #when({ due, tries }) {
    const { language, t } = this.app.words;
    const left = due - Date.now();
    if (tries === 0) return t('trainer.new');
    if (left <= 0) return t('trainer.now');
    const [unit, ms] = UNITS.find(([, ms]) => left >= ms) ?? ['minute', 60_000];
    return new Intl.RelativeTimeFormat(language, { style: 'narrow' }).format(Math.ceil(left / ms), unit);
  }
}
