// A new user opens the page, pastes a game, sees values, plays, stops the engine, and types a line.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import { cell, paste } from './hands.js';

const site = stage();

/** Waits until exactly these squares (in alphabetical order) have a value on them. */
const untilValued = (page, squares) =>
  page.waitForFunction(
    (squares) =>
      [...document.querySelectorAll('[role=gridcell]')]
        .filter((cell) => /\d/.test(cell.querySelector('.val b')?.textContent ?? ''))
        .map((cell) => cell.getAttribute('aria-label').slice(0, 2).toLowerCase())
        .sort()
        .join() === squares.join(),
    squares,
    { timeout: 60_000 },
  );

test('a pasted game is analysed, played on, stopped, and the engine answers in the console', async () => {
  const page = await site.open('/');
  // The initial position is analysed without a click.
  await untilValued(page, ['c4', 'd3', 'e6', 'f5']);

  await paste(page, 'f5d6c3');
  await untilValued(page, ['d3', 'f3', 'f4', 'g5']);

  await cell(page, 'd3').click();
  await untilValued(page, ['c2', 'c4', 'c5', 'c6', 'c7', 'e3']);
  assert.match(await cell(page, 'd3').getAttribute('aria-label'), /white/i);

  const depth = () => page.locator('#engine [data-part=depth]').textContent();
  await page.locator('#engine [data-part=toggle]').click();
  await page.waitForTimeout(300);
  const stopped = await depth();
  await page.waitForTimeout(500);
  assert.equal(await depth(), stopped, 'the depth stands still once stopped');

  await page.getByRole('tab', { name: 'Console' }).click();
  const prompt = page.locator('#console-form input');
  await prompt.fill('ping 4711');
  await prompt.press('Enter');
  await page.locator('#console-log').getByText('pong 4711').waitFor();
});

test('both modules are compiled during their download, and sent compressed', async () => {
  const page = await site.open('/version.json');
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  await page.goto(`${site.address}/`);
  await untilValued(page, ['c4', 'd3', 'e6', 'f5']);
  // The glue warns if a module is compiled only after its download.
  assert.deepEqual(
    said.filter((text) => /instantiateStreaming/.test(text)),
    [],
  );
  for (const name of ['outflank', 'rules']) {
    const answer = await page.request.get(`${site.address}/engine/${name}_bg.wasm`, {
      headers: { 'accept-encoding': 'br' },
    });
    assert.equal(answer.headers()['content-type'], 'application/wasm');
    assert.equal(answer.headers()['content-encoding'], 'br');
  }
});
