// The clipboard and downloads.

import { h } from '../base/dom.js';

/** Copies a text. Returns `false` if the browser refuses. */
export async function copyText(value) {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    const area = h('textarea.sr', { value, readonly: true });
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

/** Copies a picture. Returns `false` if the browser refuses. @param {Promise<Blob>} png */
export async function copyPicture(png) {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    return true;
  } catch {
    return false;
  }
}

/** The text of the clipboard, or `null` if the browser refuses. */
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
