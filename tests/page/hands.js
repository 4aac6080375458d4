// Actions of a user in the page tests. Those of a page are methods of it: `newContext`.

import assert from 'node:assert/strict';

import { HANG_MS } from './harness/browser.js';

/** Pastes text as a browser does, and waits until the import is loaded. */
export const paste = (page, text) =>
  page.evaluate(async (text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const how = { clipboardData, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new ClipboardEvent('paste', how));
    await window.outflank?.taking();
  }, text);

/** Drops files together: `[name, bytes]` each. */
export function dropAll(page, files) {
  // A list of numbers takes a minute for a large file.
  const texts = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  return page.evaluate((texts) => {
    const dataTransfer = new DataTransfer();
    for (const [name, base64] of texts) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], name));
    }
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, texts);
}

export const drop = (page, name, bytes) => dropAll(page, [[name, bytes]]);
export const cell = (page, square) => page.locator(`[role=gridcell][aria-label^="${square}," i]`);

export async function centreOf(page, square) {
  const { x, y, width, height } = await cell(page, square).boundingBox();
  return [x + width / 2, y + height / 2];
}

/** Draws from square to square with the mouse. @param {object} [how] of `mouse.down` */
export async function drag(page, [first, ...others], how = {}) {
  await page.mouse.move(...(await centreOf(page, first)));
  await page.mouse.down(how);
  for (const square of others) await page.mouse.move(...(await centreOf(page, square)));
  await page.mouse.up(how);
}

/** Waits until the page has painted earlier changes: it paints at the next frame. */
export const painted = (page) =>
  page.evaluate(async () => {
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  });

/** The discs on the board, as 64 characters in the order of the cells, after it was painted. */
export async function discs(page) {
  await painted(page);
  return page.locator('[role=gridcell]').evaluateAll((cells) => {
    const discOf = ({ classList }) => (classList.contains('b') ? 'X' : classList.contains('w') ? 'O' : '-');
    return cells.map(discOf).join('');
  });
}

/** Waits until a square has a value. */
export const untilValues = (page) =>
  page.waitForFunction(() => {
    // Values of the start position are shown before the engine is ready.
    if (['starting', undefined].includes(window.outflank?.engine.state)) return false;
    return [...document.querySelectorAll('.val b')].some((value) => /\d/.test(value.textContent));
  });

/** Gives the page, from its next load on, a device with this many cores. */
export const withCores = (page, cores) =>
  page.addInitScript((cores) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => cores });
  }, cores);

export const hide = (page, hidden) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

/** The texts of all notices since the page was loaded. */
export const notices = (page) => page.evaluate(() => window.noticed.map((node) => node.textContent));

/** Waits for a notice that matches. Each notice counts once. */
export const untilNotice = (page, pattern) =>
  page.waitForFunction((pattern) => {
    const texts = new RegExp(pattern, 'i');
    const found = window.noticed.find((node) => !node.isSeen && texts.test(node.firstChild.textContent));
    return Boolean(found && Object.assign(found, { isSeen: true }));
  }, pattern.source ?? pattern);

/** Presses the button of the newest notice that has it. */
export const pressNotice = (page, label) =>
  page.waitForFunction((label) => {
    const buttons = window.noticed.toReversed().flatMap((node) => [...node.querySelectorAll('button')]);
    const found = buttons.find(({ isPressed, textContent }) => !isPressed && textContent.includes(label));
    if (found) Object.assign(found, { isPressed: true }).click();
    return Boolean(found);
  }, label);

/** Waits until the report has started and ended its review. */
export const reviewEnds = (page) =>
  page.waitForFunction(() => {
    const review = outflank.panels.made.get('report')?.review;
    return Boolean(review && review.total > 0 && !review.running);
  });

/** The complete game used throughout: 60 moves, no pass. */
export const GAME =
  'f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6';

/** A complete game with many mistakes of both sides. */
export const WILD =
  'f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7e2f7c8b8g2b5g6f1d1h7g8a5g4h3a6b7a8e3h4g7h2b3a2a7e8a3c2f8h1b2g5b1a1b4a4c1f2h8d2g3h5e1g1h6';

/** Devices on which the board of a game with mistakes is tested. */
export const DESK = { viewport: { width: 1366, height: 768 } };
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

export const untilBoard = (page) =>
  page.waitForFunction(() => performance.getEntriesByName('board-shown').length > 0);

export async function reopened(page, address = null) {
  if (address) {
    await page.goto(new URL('/version.json', address).href);
    await page.goto(address);
  } else await page.reload();
  await untilBoard(page);
}

export const button = (page, name, more = {}) => page.getByRole('button', { name, ...more });

/** Waits until an element is visible. @param {string | RegExp} [hasText] its text */
export const shows = (page, selector, hasText) => page.locator(selector, { hasText }).waitFor();

export async function keys(page, ...names) {
  for (const name of names) await page.keyboard.press(name);
}

export const set = (page, name, value) =>
  page.evaluate(([name, value]) => outflank.settings.set(name, value), [name, value]);

export const act = (page, name) => page.evaluate((name) => outflank.act(name), name);
export const typeAddress = (page, hash) => page.evaluate((hash) => (location.hash = hash), hash);

/** A button of the bar below the board. */
export const modeButton = (page, name) => page.locator('.mode button', { hasText: name });

/** Waits until the bar below the board says this. */
export const told = (page, text) => page.locator('.mode .told', { hasText: text }).waitFor();
export const openTab = (page, name) => page.getByRole('tab', { name }).click();

/** Waits until this move of the game is on the board. @param {number | string} [last] number of moves */
export const untilMove = (page, at, last = '\\d+') =>
  page.locator('#where', { hasText: new RegExp(`^move ${at} of ${last}$`) }).waitFor({ state: 'attached' });

/** The number of moves before the cursor. */
export const ply = (page) => page.evaluate(() => outflank.study.node.ply);

/** Asserts that elements are wholly in the window and not covered, and that buttons are `least` pixels high. */
export async function assertSeen(page, selector, least = 0) {
  for (const node of await page.locator(selector).all()) {
    const [isSeen, height] = await node.evaluate((node) => {
      const { top, bottom, left, width, height } = node.getBoundingClientRect();
      const isOver = (y) => node.contains(document.elementFromPoint(left + width / 2, y));
      const isFree = [top + height / 2, bottom - 1].every(isOver);
      return [top >= 0 && bottom <= innerHeight && isFree, height];
    });
    assert.ok(isSeen, `${selector} ${await node.textContent()}`);
    if (await node.evaluate((node) => node.matches('button'))) assert.ok(height >= least, `${height} px`);
  }
}

/** Waits until `read` returns `expected`: the page repaints shortly after an action. */
export async function until(read, expected) {
  const ended = AbortSignal.timeout(HANG_MS);
  let value = 'no answer';
  const reading = async () => {
    while (value !== expected && !ended.aborted) {
      value = await read();
      if (value !== expected) await new Promise((resolve) => setTimeout(resolve, 30));
    }
  };
  await Promise.race([reading(), new Promise((resolve) => ended.addEventListener('abort', resolve))]);
  assert.equal(value, expected, `${value}, not ${expected}: ${read}`);
}

export const untilCount = (elements, count) => until(() => elements.count(), count);

/** The bytes of the file that an action saves. */
export async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Object.assign(Buffer.concat(chunks), { name: download.suggestedFilename() });
}

/** Waits until it is the user's turn in a match. */
const usersTurn = (page) =>
  page.waitForFunction(() => {
    const { opponent, thinking, colour } = outflank.modes.current ?? {};
    return opponent && !thinking && outflank.study.position[64] === colour;
  });

/** Begins a match against a quick opponent without pauses, as the dialog does. */
export async function beginMatch(page, setup = {}) {
  await page.evaluate(async (setup) => {
    const { OPPONENTS } = (await import('/js/shell/parts.js')).part('js/model/opponents.js');
    const opponent = OPPONENTS.find(({ id }) => id === 'beginner');
    outflank.settings.set('pace', 0);
    const usual = { colour: 'X', opponent, time: null, hints: true, takeBack: true };
    await outflank.modes.begin('match', { ...usual, ...setup });
  }, setup);
  await usersTurn(page);
}

/** Plays moves of the user: always the first legal one. */
export async function playMatch(page, moves) {
  for (let i = 0; i < moves; i++) {
    await page.evaluate(() => outflank.press(outflank.rules.moves(outflank.study.position)[0]));
    await usersTurn(page);
  }
}

export const rowsIn = (page, ...names) =>
  page.evaluate(async ([name, table]) => {
    const { Tables } = (await import('/js/shell/parts.js')).part('js/base/tables.js');
    return new Tables(name, [table]).run(table, 'readonly', (rows) => rows.count());
  }, names);

/** Targets that are smaller than `least` pixels or outside the window. The row of tabs scrolls. */
export const smallTargets = (page, selector, least) =>
  page.locator(selector).evaluateAll((nodes, least) => {
    const isWrong = (node) => {
      const { width, height, left, right } = node.getBoundingClientRect();
      const isOutside = (left < 0 || right > innerWidth + 0.5) && !node.matches('[role=tab]');
      return node.offsetParent && (Math.min(width, height) < least - 0.5 || isOutside);
    };
    return nodes.filter(isWrong).map((node) => node.outerHTML.slice(0, 80));
  }, least);

export const engineOf = (page) => page.locator('#engine [data-part=program]');
/** Names of the engine of the program, and of that of the browser. */
export const COMPUTER = /^This computer: \d+ threads?, \d+ MiB$/;
export const BROWSER = /^This browser: \d+ threads?$/;
export const engineNamed = (page, name) => engineOf(page).filter({ hasText: name }).waitFor();
