// Copying and saving: the clipboard where it is allowed, a dialog with the text where it is not.

import { h } from '../base/dom.js';

/** Copies; false where the browser refuses. */
export async function copyText(value) {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    const area = h('textarea.sr', { value, readonly: true });
    document.body.append(area);
    area.select();
    let done = false;
    try {
      done = document.execCommand('copy');
    } catch {
      done = false;
    }
    area.remove();
    return done;
  }
}

/** What is on the clipboard, or null where the browser does not say. */
export async function pastedText() {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return null;
  }
}

export function saveFile(name, blob) {
  const url = URL.createObjectURL(blob);
  const anchor = h('a', { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
