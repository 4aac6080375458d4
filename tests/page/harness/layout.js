// The layout of the page: the whole board is visible, nothing is cut off, and every control can be reached.

import { violations } from './axe.js';
import { SIZES, STATES } from './screens.js';
import { site } from './stage.js';

export function layoutErrors() {
  const found = [];
  // Temporary elements above everything are excluded.
  const notices = document.querySelector('#notices');
  for (const { clientHeight, clientWidth } of notices.querySelectorAll('span'))
    if (clientHeight > Math.min(clientWidth, innerHeight / 4)) found.push('a notice is high');
  notices.hidden = true;
  const name = (node) =>
    `${node.id || node.className || node.tagName} “${(node.getAttribute('aria-label') || node.textContent || '').trim().slice(0, 24)}”`;
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push('the page scrolls sideways');

  const inDialog = document.querySelector('dialog[open]');
  // The text of a mode is visible without scrolling.
  const told = document.querySelector('.mode');
  if (told && !inDialog) {
    const { top, bottom } = told.getBoundingClientRect();
    const side = document.querySelector('#side');
    const foot = getComputedStyle(side).position === 'fixed' ? side.getBoundingClientRect().top : innerHeight;
    const isCut = innerHeight < innerWidth && told.scrollHeight > told.clientHeight + 1;
    if (top < 0 || bottom > foot + 0.5 || isCut) found.push('the bar of the mode is out of sight');
  }
  for (const { clientWidth, scrollWidth } of document.querySelectorAll('.question .name'))
    if (clientWidth < Math.min(scrollWidth, 32)) found.push('a name is too short');
  const grid = document.querySelector('.grid').getBoundingClientRect();
  if (!inDialog) {
    if (grid.left < 0 || grid.top < 0 || grid.right > innerWidth + 0.5 || grid.bottom > innerHeight + 0.5)
      found.push('the board is not wholly in sight');
    for (const x of [grid.left + 4, grid.right - 4])
      for (const y of [grid.top + 4, grid.bottom - 4]) {
        const top = document.elementFromPoint(x, y);
        if (!top?.closest('#frame')) found.push(`over the board lies ${top && name(top)}`);
      }
  }

  // The whole label of a choice is pressed.
  const inputs = 'input:not([type=file], .choices label *)';
  const selector = `button, ${inputs}, select, textarea, summary, [role=slider]`;
  const all = [...(inDialog ?? document).querySelectorAll(selector)];
  const controls = all.filter((node) => node.checkVisibility({ visibilityProperty: true }));
  // Cut off: a control beyond the screen that cannot be scrolled into view, or with more text than space.
  for (const node of controls) {
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
  // Every control can be scrolled into view and is then on top, from its left to its right.
  for (const node of controls) {
    if (node.closest('.pv')) continue;
    node.scrollIntoView({ block: 'center', inline: 'nearest' });
    const { left, top, right, bottom } = node.getBoundingClientRect();
    for (const x of [left + 3, (left + right) / 2, right - 3]) {
      const at = document.elementFromPoint(x, (top + bottom) / 2);
      const isFree = at && (node.contains(at) || at.contains(node));
      if (!isFree) found.push(`${name(node)} cannot be reached: ${at && name(at)} is there`);
    }
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
/** The state without an engine has the layout of another one. */
const SCREENS = Object.keys(STATES).filter((state) => ![...DIALOGS, 'no-engine'].includes(state));

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
