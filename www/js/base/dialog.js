// Dialogs. A dialog is created when it opens and removed when it closes. The keyboard focus then returns to where it was.

import { $, $$, button, h } from './dom.js';

/** A button below a dialog. If `run` returns `false`, the dialog stays open.
 *  @typedef {{ label: string, run?: () => unknown, solid?: boolean, type?: string }} DialogAction */

/** Opens a dialog.
 *  @param {Pick<App, 't'>} app @param {string} title @param {any[]} body @param {DialogAction[]} actions @param {() => void} [onClose] */
export function openDialog({ t }, title, body, actions = [], onClose) {
  const dialog = h('dialog', { 'aria-labelledby': 'dialog-title' });
  const close = () => dialog.close();
  /** @param {Event} event @param {DialogAction['run']} run */
  const act = (event, run) => {
    event.preventDefault();
    const faults = $$('.notice.fault', dialog);
    if (run?.() === false) return;
    for (const fault of faults) fault.remove();
    close();
  };
  const unsaved = h('p.muted', { role: 'alert' });
  const buttons = actions.map(({ label, run, solid, type }) => {
    const kind = solid && type !== 'button' ? 'submit' : 'button';
    const onclick = (event) => act(event, run);
    return h(solid ? 'button.solid' : 'button.plain', { type: kind, onclick }, label);
  });
  /** Ctrl+Enter or Cmd+Enter presses the main button, also in a field of several lines. */
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    /** @type {HTMLElement | null} */ (form.querySelector('.actions .solid'))?.click();
  };
  const below = buttons.length > 0 && h('div.actions', buttons);
  const form = h('form.body', { method: 'dialog', tabindex: '-1', onkeydown }, body, unsaved, below);
  const heading = h('h2', { id: 'dialog-title' }, title);
  const cross = h('button.icon', { 'aria-label': t('do.close'), onclick: close }, '×');
  dialog.append(h('div.head', heading, cross), form);
  // A modal dialog covers the rest of the page: the notices are inside it while it is open.
  const notices = $('#notices');
  if (notices) dialog.append(notices);
  dialog.addEventListener('close', () => {
    if (notices) ($('dialog[open]') ?? document.body).append(notices);
    dialog.remove();
    onClose?.();
  });
  /** Returns true if typed text would be lost, and reports that the first time. */
  const keepsText = () => {
    const typed = actions.length > 0 && fields.some(([field, value]) => field.value !== value);
    if (!typed || unsaved.textContent) return false;
    unsaved.textContent = t('dialog.unsaved');
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
  const fields = textFields(form).map((field) => /** @type {const} */ ([field, field.value]));
  firstIn(form).focus({ preventScroll: true });
  return { dialog, close };
}

/** @param {HTMLElement} form */
const textFields = (form) =>
  /** @type {HTMLInputElement[]} */ (
    $$('textarea, input:not([type=radio], [type=checkbox], [type=range])', form)
  );

/** The element with the focus at first: the browser would choose the cross. Without a field or a button, the text gets the focus, so
 *  that keys scroll it. @param {HTMLElement} form @returns {HTMLElement} */
const firstIn = (form) =>
  form.querySelector('input:checked, input:not([type=radio]), textarea, select') ??
  form.querySelector('.solid') ??
  form.querySelector('button') ??
  form;

/** A button of a dialog that runs `run`, then closes the dialog.
 * @param {Pick<App, 'attempt'>} app @param {string} label @param {() => unknown} run */
export const closingButton = (app, label, run) =>
  button(label, ({ target }) =>
    app.attempt(async () => {
      await run();
      /** @type {any} */ (target).closest('dialog')?.close();
    }),
  );

/** Radio buttons in a row. `options` are pairs of value and label.
 *  @param {{ name: string, legend: string, value: unknown, options: any[][], onchange: (value: any) => void }} what */
export function choices({ name, legend, value, options, onchange }) {
  const choice = (/** @type {any[]} */ [option, label]) => {
    const checked = String(option) === String(value);
    const props = { type: 'radio', name, value: String(option), checked };
    const input = h('input', { ...props, onchange: () => onchange(option) });
    return h('label', input, h('span', label));
  };
  return h('fieldset', h('legend', legend), h('div.choices', options.map(choice)));
}

/** @param {string} label @param {boolean} checked @param {(on: boolean) => void} onchange */
export const checkbox = (label, checked, onchange) =>
  h(
    'label.row',
    h('span', label),
    h('input', { type: 'checkbox', checked, onchange: (event) => onchange(event.target.checked) }),
  );
