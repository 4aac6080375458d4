// Saving: a diagram as SVG or PNG, the game as GGF or a transcript, and printing both.

import { checkbox, openDialog } from '../base/dialog.js';
import { h } from '../base/dom.js';
import { load } from '../base/load.js';
import { diagramPng, diagramSvg } from '../board/diagram.js';
import { captionOf } from './caption.js';
import { saveFile } from './clipboard.js';

/** The position on the board as an SVG. @param {App} app @param {boolean} withValues */
export function diagramOf(app, withValues) {
  const { node } = app.study;
  const { map, best } = app.scores.rows(node.position);
  return diagramSvg({
    ...captionOf(app, node),
    squares: app.rules.look(node.position).squares,
    square: (cell) => app.board.square(cell),
    last: node.move,
    rows: withValues && !app.modes.current?.hide ? map : undefined,
    best: best?.value ?? null,
  });
}

export function askSave(app) {
  const { t } = app.words;
  let withValues = app.settings.get('values');
  const name = `outflank-${app.study.node.ply}`;
  const guard = (work) => async () => {
    try {
      await work();
      opened.close();
    } catch (error) {
      app.fail(error);
    }
  };
  const button = (label, work) => h('button.plain', { onclick: guard(work) }, label);
  const opened = openDialog({
    title: t('save.title'),
    words: app.words,
    body: [
      checkbox({ label: t('save.withValues'), checked: withValues, onchange: (on) => (withValues = on) }),
      h(
        'div.choices',
        button(t('save.svg'), () =>
          saveFile(`${name}.svg`, new Blob([diagramOf(app, withValues)], { type: 'image/svg+xml' })),
        ),
        button(t('save.png'), async () =>
          saveFile(`${name}.png`, await diagramPng(diagramOf(app, withValues))),
        ),
        button(t('save.ggf'), () =>
          saveFile(
            'outflank.ggf',
            new Blob([`${app.rules.writeGgf(app.study.game())}\n`], { type: 'text/plain' }),
          ),
        ),
        button(t('save.moves'), () =>
          saveFile('outflank.txt', new Blob([`${app.study.game().moves}\n`], { type: 'text/plain' })),
        ),
        button(t('save.print'), async () => {
          opened.close();
          await (await load('js/io/print.js')).print(app);
        }),
      ),
    ],
  });
}
