// Random pastes and drops.

import { test } from 'node:test';
import { drop, GAME, opened, paste } from '../hands.js';
import { dice } from '../harness/dice.js';
import { stage } from '../harness/stage.js';

const site = stage();
const QUICK = { engine: 'recorded', settings: { pace: 0, reviewDepth: 4 } };

test('random pastes and drops leave the page unchanged or with a game', async () => {
  const page = await opened(site, '/', QUICK);
  const random = dice(5);
  const three =
    '(;GM[Othello]PB[Ann]PW[Bob]B[F5]W[F6];)(;GM[Othello]PB[Cyd]B[D3];)(;GM[Othello]PB[Dan]B[C4];)';
  const signs = [
    '棋譜：ｆ５',
    '\0\0',
    '🟢'.repeat(500),
    '\u202ef5d6',
    'f5\nhello\nf5f6',
    'https://x.y/#f5~%',
  ];
  const texts = [three, GAME, '{"a":', '[Black "x"]', ...signs];
  for (let i = 0; i < 60; i++) {
    let text = texts[random(texts.length)];
    const at = random(text.length);
    if (random(2)) text = text.slice(0, at) + texts[random(texts.length)] + text.slice(at + random(5));
    if (random(3)) await paste(page, text);
    else await drop(page, `x${i}.txt`, Buffer.from(text));
    if (random(6) === 0) await page.keyboard.press('Control+z');
    if (random(9) === 0) await page.evaluate(() => outflank.act('edit'));
  }
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    for (const dialog of document.querySelectorAll('dialog')) dialog.close();
  });
  await page.evaluate(() => outflank.modes.leave());
  await paste(page, 'f5d6c3d3');
  await page.locator('#where', { hasText: 'move 4 of 4' }).waitFor();
});
