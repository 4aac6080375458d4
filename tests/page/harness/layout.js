// The layout of the page: the whole board is visible, nothing overlaps or is cut off, and every button can be reached.

import { violations } from './axe.js';
import { SIZES, STATES } from './screens.js';
import { site } from './stage.js';

export function layoutErrors() {
  const found = [];
  // Temporary elements above everything are excluded.
  const notices = document.querySelector('#notices');
  notices.hidden = true;
  const name = (node) =>
    `${node.id || node.className || node.tagName} “${(node.getAttribute('aria-label') || node.textContent || '').trim().slice(0, 24)}”`;
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth)
    found.push(`the page scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);

  const inDialog = document.querySelector('dialog[open]');
  // The text of a mode is visible without scrolling.
  const told = document.querySelector('.mode');
  if (told && !inDialog) {
    const { top, bottom } = told.getBoundingClientRect();
    const side = document.querySelector('#side');
    const foot = getComputedStyle(side).position === 'fixed' ? side.getBoundingClientRect().top : innerHeight;
    if (top < 0 || bottom > foot + 0.5)
      found.push(`the bar of the mode is out of sight: ${top} ${bottom} of ${foot}`);
  }
  const grid = document.querySelector('.grid').getBoundingClientRect();
  const box = ({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round).join(' ');
  if (!inDialog) {
    if (grid.left < 0 || grid.top < 0 || grid.right > innerWidth + 0.5 || grid.bottom > innerHeight + 0.5)
      found.push(`the board is not wholly in sight: ${box(grid)} of ${innerWidth} ${innerHeight}`);
    if (Math.abs(grid.width - grid.height) > 2) found.push(`the board is no square: ${box(grid)}`);
    const frame = document.querySelector('#frame').getBoundingClientRect();
    const rims = ['left', 'top', 'right', 'bottom'].map((side) => Math.abs(grid[side] - frame[side]));
    if (Math.max(...rims) - Math.min(...rims) > 1.5) found.push(`the frame is lopsided: ${rims}`);
    for (const x of [grid.left + 4, grid.right - 4])
      for (const y of [grid.top + 4, grid.bottom - 4]) {
        const top = document.elementFromPoint(x, y);
        if (!top?.closest('#frame')) found.push(`over the board lies ${top ? name(top) : 'nothing'}`);
      }
  }

  /** The part of a node that is not scrolled away or clipped. */
  const visible = (node) => {
    let { left, top, right, bottom } = node.getBoundingClientRect();
    for (let at = node.parentElement; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const clip = at.getBoundingClientRect();
      left = Math.max(left, clip.left);
      top = Math.max(top, clip.top);
      right = Math.min(right, clip.right);
      bottom = Math.min(bottom, clip.bottom);
    }
    const bar = node.closest('dialog')?.querySelector('.body > .actions');
    if (bar && !bar.contains(node) && getComputedStyle(bar).position === 'sticky')
      bottom = Math.min(bottom, bar.getBoundingClientRect().top);
    // Scrolled content continues behind the tabs at the foot of an upright phone.
    const side = document.querySelector('#side');
    if (getComputedStyle(side).position === 'fixed' && !side.contains(node) && !inDialog)
      bottom = Math.min(bottom, side.getBoundingClientRect().top);
    return { left, top, right, bottom };
  };
  // The whole label of a choice is pressed.
  const inputs = 'input:not([type=file], .choices label *)';
  const selector = `button, ${inputs}, select, textarea, summary, [role=slider]`;
  const boxes = [...(inDialog ?? document).querySelectorAll(selector)]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }))
    .map((node) => ({ node, ...visible(node) }));
  const seen = boxes.filter(({ left, top, right, bottom }) => right - left > 2 && bottom - top > 2);
  for (const [i, a] of seen.entries()) {
    for (const b of seen.slice(i + 1)) {
      if (a.node.contains(b.node) || b.node.contains(a.node)) continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const along = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 2 && along > 2) found.push(`${name(a.node)} and ${name(b.node)} overlap`);
    }
  }
  // Cut off: a control beyond the screen that cannot be scrolled into view, or with more text than space.
  for (const { node } of boxes) {
    const { left, right } = node.getBoundingClientRect();
    let scrolls = false;
    for (let at = node.parentElement; at; at = at.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(at).overflowX)) continue;
      scrolls = true;
      if (right - left > at.clientWidth) found.push(`${name(node)} is wider than ${name(at)}`);
    }
    // The moves of a line fade out.
    if (node.closest('.pv')) continue;
    if (!scrolls && (left < -0.5 || right > innerWidth + 0.5)) found.push(`${name(node)} is cut off`);
    if (node.matches('button') && node.scrollWidth > node.clientWidth + 1 && !node.closest('.list'))
      found.push(`${name(node)} has more text than room: ${node.scrollWidth} > ${node.clientWidth}`);
  }
  // Every button can be scrolled into view and is then on top.
  for (const { node } of boxes) {
    if (!node.matches('button') || node.closest('.pv')) continue;
    node.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const cover = () => {
      const { left, top, right, bottom } = visible(node);
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return at && (node.contains(at) || at.contains(node)) ? null : at ? name(at) : 'nothing';
    };
    if (!cover()) continue;
    // The tabs cover scrolled content: scrolling further uncovers it.
    const tabs = document.querySelector('#tab-row').getBoundingClientRect();
    scrollBy(0, node.getBoundingClientRect().bottom - tabs.top + 8);
    if (cover()) found.push(`${name(node)} cannot be reached: ${cover()} is there`);
  }
  scrollTo(0, 0);
  notices.hidden = false;
  return [...new Set(found)];
}

/** Opens a page of a size without animations, and waits for its values. */
export async function openedAt(size, options = {}) {
  const page = await site.openedWhole('/', { ...SIZES[size], reducedMotion: 'reduce', ...options });
  await page.locator('#lines-body tr').first().waitFor();
  return page;
}

export async function speak(page, language) {
  await page.set('language', language);
  await page.waitForFunction((language) => document.documentElement.lang === language, language);
}

const TARGETS =
  '.top button, .under.nav button, .tabs button, #engine button, #graph button, .mode button, .library .trained button, dialog .choices label';
/** States in which the whole page is checked; in the others its open dialog, or its panel and the bar of the mode. */
const WHOLE = ['moves', 'summary'];
const BARS = ['verdict', 'training', 'learning', 'refuted'];
/** States that do not differ from others by the text of the bar only. */
const DIFFERENT = Object.keys(STATES).filter((state) => !BARS.includes(state));

/** Finds small targets in a state, and violations of accessibility rules in some. @param {number} least pixels of a target */
export const inspection =
  (page, least, accessible = DIFFERENT) =>
  async (state) => {
    const found = await page.smallTargets(TARGETS, least);
    const isDialog = (await page.locator('dialog').count()) > 0;
    if (isDialog && (await page.locator('dialog :focus:not(.head *)').count()) === 0)
      found.push('a dialog gives the focus to its content, not to its close button');
    if (!accessible.includes(state)) return found;
    const part = isDialog ? 'dialog' : '[role=tabpanel]:not([hidden]), .mode';
    if (!WHOLE.includes(state)) return [...found, ...(await violations(page, part))];
    for (const colorScheme of ['dark', 'light']) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await violations(page)));
    }
    return found;
  };

const DIALOGS = 'settings menu help ideas save play command comment weaknesses similar'.split(' ');
/** States whose layout equals that of another one. */
const EQUAL = ['no-engine', 'mistakes', 'overlay'];
const SCREENS = Object.keys(STATES).filter((state) => ![...DIALOGS, ...EQUAL].includes(state));

/** Looks at every panel, mode and dialog, in some languages and at some sizes. Returns the errors. `visit` is called in every state
 *  and language and returns further errors. */
export async function walk(page, { sizes, languages, visit = async () => [] }) {
  const wrong = [];
  const order = [...sizes];
  const look = async (state, language) => {
    // Back and forth: the first size is the last one of the state before.
    for (const size of order.reverse()) {
      await page.setViewportSize(SIZES[size].viewport);
      // The bar of a mode is scrolled into view when it is drawn.
      await page.evaluate(() => outflank.modes.current?.draw());
      await page.painted();
      for (const fault of await page.evaluate(layoutErrors)) wrong.push(`${state} at ${size}: ${fault}`);
    }
    for (const fault of await visit(state)) wrong.push(`${state} in ${language}: ${fault}`);
  };
  for (const state of SCREENS) {
    await STATES[state](page);
    for (const language of languages) {
      await speak(page, language);
      await look(state, language);
    }
    await page.evaluate(() => outflank.modes.leave());
  }
  for (const language of languages) {
    await speak(page, language);
    for (const state of DIALOGS) {
      await STATES[state](page);
      await look(state, language);
      await page.keys('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
  }
  return wrong;
}
