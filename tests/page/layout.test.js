// The layout at six sizes, in four languages, with all panels, modes and dialogs: the whole board is visible, nothing overlaps or is
// cut off, and every button can be reached.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SIZES, STATES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';
import { opened, painted, until } from './hands.js';

const site = stage();
const LANGUAGES = ['en', 'fr', 'ja', 'zh'];
const PHONES = Object.keys(SIZES).filter((size) => SIZES[size].hasTouch);

/** Layout errors of the page. Runs in the page. */
function faults() {
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
  const told = document.querySelector('#mode:not([hidden])');
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
    const rims = [
      grid.left - frame.left,
      grid.top - frame.top,
      frame.right - grid.right,
      frame.bottom - grid.bottom,
    ];
    if (Math.max(...rims) - Math.min(...rims) > 1.5) found.push(`the frame is lopsided: ${rims}`);
    for (const [x, y] of [
      [grid.left + 4, grid.top + 4],
      [grid.right - 4, grid.top + 4],
      [grid.left + 4, grid.bottom - 4],
      [grid.right - 4, grid.bottom - 4],
    ]) {
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
  const controls = [
    ...(inDialog ?? document).querySelectorAll(
      'button, input:not([type=file]), select, textarea, summary, [role=slider]',
    ),
  ]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }))
    // The whole label of a choice is pressed.
    .filter((node) => !node.closest('.choices label input'));
  const boxes = controls.map((node) => ({ node, ...visible(node) }));
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
    const { left, top, right, bottom } = visible(node);
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!at || !(node.contains(at) || at.contains(node))) {
      // The tabs cover scrolled content: scrolling further uncovers it.
      const tabs = document.querySelector('#tab-row').getBoundingClientRect();
      scrollBy(0, node.getBoundingClientRect().bottom - tabs.top + 8);
      const box = visible(node);
      const then = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      if (!then || !(node.contains(then) || then.contains(node)))
        found.push(`${name(node)} cannot be reached: ${then ? name(then) : 'nothing'} is there`);
    }
  }
  scrollTo(0, 0);
  notices.hidden = false;
  return [...new Set(found)];
}

/** Opens a page of a size without animations, and waits for the parts loaded after the first values. */
async function at(size) {
  const page = await opened(site, '/', { ...SIZES[size], reducedMotion: 'reduce' });
  await page.waitForFunction(() => outflank.scores.rows(outflank.study.position).sorted.length > 0);
  await page.locator('#graph svg').waitFor();
  await page.waitForFunction(() => document.querySelector('link[href="style/parts.css"]')?.sheet);
  return page;
}

/** Selects a language, and waits until the page is in it. */
async function speak(page, language) {
  await page.evaluate((language) => outflank.settings.set('language', language), language);
  await page.waitForFunction((language) => document.documentElement.lang === language, language);
}

const DIALOGS = ['settings', 'menu', 'help', 'save', 'play', 'command', 'comment'];
const OTHERS = ['no-engine', 'mistakes', 'overlay'];
const SEEN = Object.keys(STATES).filter((state) => ![...DIALOGS, ...OTHERS].includes(state));
const DESKS = Object.keys(SIZES).filter((size) => !PHONES.includes(size));

for (const [device, sizes] of Object.entries({ desk: DESKS, phone: PHONES })) {
  test(`everything fits on a ${device}: every panel, mode and dialog, at every size, in every language`, async () => {
    const page = await at(sizes[0]);
    const wrong = [];
    const order = [...sizes];
    const look = async (what) => {
      // Back and forth: the first size is the last one of the state before.
      for (const size of order.reverse()) {
        await page.setViewportSize(SIZES[size].viewport);
        // The bar of a mode is scrolled into view when it is drawn.
        await page.evaluate(() => outflank.modes.current?.draw());
        await painted(page);
        for (const fault of await page.evaluate(faults)) wrong.push(`${what} at ${size}: ${fault}`);
      }
    };
    for (const state of SEEN) {
      await STATES[state](page);
      for (const language of LANGUAGES) {
        await speak(page, language);
        await look(`${state} in ${language}`);
      }
      await page.evaluate(() => outflank.modes.leave());
      await speak(page, 'en');
    }
    for (const language of LANGUAGES) {
      await speak(page, language);
      for (const state of DIALOGS) {
        await STATES[state](page);
        await look(`${state} in ${language}`);
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
      }
    }
    assert.deepEqual(wrong, []);
  });
}

test('six tabs fit at 1280 in every language, and all can be reached at every size', async () => {
  const page = await at('1280x800');
  for (const language of LANGUAGES) {
    await speak(page, language);
    for (const size of ['1280x800', '390x844', '320x568']) {
      await page.setViewportSize(SIZES[size].viewport);
      const fits = await page.evaluate(() => {
        const row = document.querySelector('#tabs');
        return { room: row.clientWidth, wide: row.scrollWidth };
      });
      if (size === '1280x800') assert.ok(fits.wide <= fits.room, `${language}: ${JSON.stringify(fits)}`);
      // The arrows scroll the last one into view, then the first.
      await page.locator('#tabs [aria-selected=true]').focus();
      for (const [key, id] of [
        ['ArrowLeft', 'tab-console'],
        ['ArrowRight', 'tab-moves'],
      ]) {
        await page.keyboard.press(key);
        await page.waitForFunction((id) => {
          const tab = document.getElementById(id);
          const row = document.querySelector('#tabs').getBoundingClientRect();
          const box = tab.getBoundingClientRect();
          return tab === document.activeElement && box.left >= row.left - 1 && box.right <= row.right + 1;
        }, id);
      }
    }
  }
});

test('notices cover no list, and the graph takes the room below few moves', async () => {
  const page = await at('1280x800', 'en');
  for (const size of ['1366x768', '1280x800', '768x1024']) {
    const [width, height] = size.split('x').map(Number);
    await page.setViewportSize({ width, height });
    const found = await page.evaluate(() => {
      for (const key of ['one', 'two']) outflank.notices.show(`Notice ${key}`, { key, stay: 0 });
      const boxOf = (node) => node.getBoundingClientRect();
      const notices = [...document.querySelector('#notices').children].map(boxOf);
      const isCovered = (name) => {
        const { top, bottom, left, right } = boxOf(document.querySelector(name));
        return notices.some(
          (box) => box.top < bottom && box.bottom > top && box.left < right && box.right > left,
        );
      };
      const covered = ['#lines', '#graph', '#tab-row', '#panels', '#frame'].filter(isCovered);
      return { shown: notices.length, covered, graph: document.querySelector('#graph').clientHeight };
    });
    assert.deepEqual([found.shown, found.covered], [2, []], size);
    if (width > 1000) assert.ok(found.graph > 270, `${size}: ${found.graph} px`);
  }
});

test('nothing is cut off at 400 % zoom', async () => {
  const page = await at('1280x800', 'fr');
  await page.setViewportSize({ width: 320, height: 200 });
  for (const state of ['start', 'report', 'match']) {
    await STATES[state](page);
    const wrong = await page.evaluate(faults);
    // The page scrolls: the board and the bar of a mode are higher than the window.
    assert.deepEqual(
      wrong.filter((fault) => !/^(the board is not wholly|over the board|the bar of the mode)/.test(fault)),
      [],
    );
  }
});

for (const size of PHONES) {
  test(`${size}: a panel opens, becomes tall, and closes by button, Escape and a drag`, async () => {
    const page = await at(size);
    const side = page.locator('#side');
    const height = () => page.evaluate(() => outflank.panels.height);
    const games = page.getByRole('tab', { name: 'Games' });
    const open = async () => {
      await games.click();
      await until(height, 'open');
      await page.locator('#side .taller').waitFor();
    };
    await open();
    assert.deepEqual(await page.evaluate(faults), []);
    await page.getByRole('button', { name: 'Large panel' }).click();
    assert.equal(await height(), 'tall');
    const { height: high } = await side.boundingBox();
    assert.ok(high > SIZES[size].viewport.height * 0.6, `${high} px are tall`);
    await page.getByRole('button', { name: 'Close' }).click();
    assert.equal(await height(), 'closed');
    assert.equal(
      await page.evaluate(() => document.activeElement.id),
      'tab-games',
      'the keyboard stays at the tab',
    );
    await open();
    await page.keyboard.press('Escape');
    assert.equal(await height(), 'closed');
    // A drag of its head: up for tall, down for the first height, down again to close.
    await open();
    const pull = async (by) => {
      const { x, y, width } = await page.locator('#tab-row').boundingBox();
      await page.mouse.move(x + width / 2, y + 10);
      await page.mouse.down();
      await page.mouse.move(x + width / 2, y + 10 + by / 2);
      await page.mouse.move(x + width / 2, y + 10 + by);
      await page.mouse.up();
    };
    await pull(-60);
    await until(height, 'tall');
    await pull(90);
    await until(height, 'open');
    await pull(10);
    await until(height, 'open');
    await pull(60);
    await until(height, 'closed');
    assert.equal(await side.evaluate((node) => node.style.transform), '');
  });
}

test('a rotated phone shows the whole board each time', async () => {
  const page = await at('390x844');
  for (const size of ['667x375', '390x844', '667x375', '320x568']) {
    await page.setViewportSize(SIZES[size].viewport);
    await painted(page);
    assert.deepEqual(await page.evaluate(faults), [], size);
  }
});
