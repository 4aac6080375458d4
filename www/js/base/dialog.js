// Dialogs: made when opened, gone when closed; the keyboard returns to where it was.

import { $, $$, h } from './dom.js';

/** Opens a dialog. `body` is made of nodes; `actions` are `{ label, run, solid }`, `run` may answer
 *  false to keep it open. */
/** @param {{ title: string, words: Translations, body: (Node | string | false | null)[], actions?: { label: string, run?: () => unknown, solid?: boolean, type?: string }[], onClose?: () => void }} what */
export function openDialog({ title, body, actions = [], words, onClose }) {
  const dialog = h('dialog', { 'aria-labelledby': 'dialog-title' });
  const close = () => dialog.close();
  const unsaved = h('p.muted', { role: 'alert' });
  const form = h(
    'form.body',
    { method: 'dialog', tabindex: '-1' },
    ...body,
    unsaved,
    actions.length > 0 &&
      h(
        'div.actions',
        actions.map(({ label, run, solid, type }) =>
          h(
            'button',
            {
              type: solid && type !== 'button' ? 'submit' : 'button',
              class: solid ? 'solid' : 'plain',
              onclick: (event) => {
                event.preventDefault();
                const faults = $$('.notice.fault', dialog);
                if (run?.() === false) return;
                for (const fault of faults) fault.remove();
                close();
              },
            },
            label,
          ),
        ),
      ),
  );
  dialog.append(
    h(
      'div.head',
      h('h2', { id: 'dialog-title' }, title),
      h('button.icon', { 'aria-label': words.t('do.close'), onclick: close }, '×'),
    ),
    form,
  );
  // A modal dialog covers the rest of the page: the notices are inside it while it is open.
  const notices = $('#notices');
  if (notices) dialog.append(notices);
  dialog.addEventListener('close', () => {
    if (notices) ($('dialog[open]') ?? document.body).append(notices);
    dialog.remove();
    onClose?.();
  });
  /** Returns true if text was typed that only an action of the dialog saves, and says so the first time. */
  const keepsText = () => {
    const typed = actions.length > 0 && fields.some(([field, value]) => field.value !== value);
    if (!typed || unsaved.textContent) return false;
    unsaved.textContent = words.t('dialog.unsaved');
    return true;
  };
  dialog.addEventListener('cancel', (event) => {
    if (event.target === dialog && keepsText()) event.preventDefault();
  });
  // A selection that begins in a field may end outside.
  let pressed = false;
  dialog.addEventListener('pointerdown', (event) => {
    pressed = event.target === dialog;
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog && pressed && !keepsText()) close();
  });
  document.body.append(dialog);
  dialog.showModal();
  const fields = /** @type {HTMLInputElement[]} */ (
    $$('textarea, input:not([type=radio], [type=checkbox])', form)
  ).map((field) => /** @type {const} */ ([field, field.value]));
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
    h('legend', legend),
    h(
      'div.choices',
      options.map(([option, label]) =>
        h(
          'label',
          h('input', {
            type: 'radio',
            name,
            value: String(option),
            checked: String(option) === String(value),
            onchange: () => onchange?.(option),
          }),
          h('span', label),
        ),
      ),
    ),
  );
}

export function checkbox({ label, checked, onchange }) {
  return h(
    'label.row',
    h('span', label),
    h('input', { type: 'checkbox', checked, onchange: (event) => onchange(event.target.checked) }),
  );
}
