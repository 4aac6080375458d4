// Dialogs: made when opened, gone when closed; the keyboard returns to where it was.

import { h } from './dom.js';

/** Opens a dialog. `body` is made of nodes; `actions` are `{ label, run, solid }`, `run` may answer
 *  false to keep it open. */
/** @param {{ title: string, words: Words, body: (Node | string | false | null)[], actions?: { label: string, run?: () => unknown, solid?: boolean, type?: string }[], onClose?: () => void }} what */
export function openDialog({ title, body, actions = [], words, onClose }) {
  const dialog = h('dialog', { 'aria-labelledby': 'dialog-title' });
  const close = () => dialog.close();
  const form = h(
    'form',
    { class: 'body', method: 'dialog', tabindex: '-1' },
    ...body,
    actions.length > 0 &&
      h(
        'div',
        { class: 'actions' },
        actions.map(({ label, run, solid, type }) =>
          h('button', {
            type: solid && type !== 'button' ? 'submit' : 'button',
            class: solid ? 'solid' : 'plain',
            text: label,
            onclick: (event) => {
              event.preventDefault();
              if (run?.() !== false) close();
            },
          }),
        ),
      ),
  );
  dialog.append(
    h(
      'div',
      { class: 'head' },
      h('h2', { id: 'dialog-title', text: title }),
      h('button', {
        type: 'button',
        class: 'icon',
        'aria-label': words.t('do.close'),
        text: '×',
        onclick: close,
      }),
    ),
    form,
  );
  dialog.addEventListener('close', () => {
    dialog.remove();
    onClose?.();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) close();
  });
  document.body.append(dialog);
  dialog.showModal();
  // Not the cross, which the browser would choose: what the dialog is for, or else its text, to be scrolled.
  const first =
    form.querySelector('input:checked, input:not([type=radio]), textarea, select') ??
    form.querySelector('.solid') ??
    form.querySelector('button');
  (first ?? form).focus({ preventScroll: true });
  return { dialog, close };
}

/** Radio buttons in a row: `{ name, legend, value, options: [[value, label]] }`. */
export function choices({ name, legend, value, options, onchange }) {
  return h(
    'fieldset',
    null,
    h('legend', { text: legend }),
    h(
      'div',
      { class: 'choices' },
      options.map(([option, label]) =>
        h(
          'label',
          null,
          h('input', {
            type: 'radio',
            name,
            value: String(option),
            checked: String(option) === String(value),
            onchange: () => onchange?.(option),
          }),
          h('span', { text: label }),
        ),
      ),
    ),
  );
}

export function checkbox({ label, checked, onchange }) {
  return h(
    'label',
    { class: 'row' },
    h('span', { text: label }),
    h('input', { type: 'checkbox', checked, onchange: (event) => onchange(event.target.checked) }),
  );
}
