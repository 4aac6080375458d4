// Pictures of the page at every size of screen, in every state, light and dark:
//
//   node tests/bench/screens.js OUT [--size 390x844,…] [--state start,…] [--theme light] [--language fr]
//
// Each state and kind of device has one page that is resized, so that a game is analysed once.

import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { launchBrowser } from '../page/harness/browser.js';
import { SIZES, STATES } from '../page/harness/screens.js';
import { startServer } from '../page/harness/server.js';

const LOCALES = { en: 'en-GB', fr: 'fr-FR', ja: 'ja-JP', zh: 'zh-CN' };
const SETTLE_MS = 700;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string' },
    state: { type: 'string' },
    theme: { type: 'string' },
    language: { type: 'string', default: 'en' },
  },
});
const [out] = positionals;
if (!out) throw new Error('name a folder for the pictures');
const chosen = (wanted, all) => wanted?.split(',') ?? all;
const sizes = chosen(values.size, Object.keys(SIZES));
const states = chosen(values.state, Object.keys(STATES));
const themes = chosen(values.theme, ['light', 'dark']);

/** Sizes that differ in nothing but the viewport can share a page. */
const kinds = [
  sizes.filter((size) => !SIZES[size].hasTouch),
  sizes.filter((size) => SIZES[size].hasTouch),
].filter(({ length }) => length > 0);

await mkdir(out, { recursive: true });
const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
try {
  for (const state of states) {
    for (const kind of kinds) {
      const context = await browser.newContext({
        ...SIZES[kind[0]],
        locale: LOCALES[values.language],
        colorScheme: themes[0],
      });
      const page = await context.newPage();
      page.on('pageerror', (error) => console.error(`${state}: ${error.message}`));
      await page.goto(server.address);
      await page.waitForFunction(
        () =>
          document.querySelector('.val b')?.closest('.grid') &&
          window.outflank?.scores.rows(outflank.study.position).sorted.length > 0,
      );
      await STATES[state](page);
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme });
        for (const size of kind) {
          await page.setViewportSize(SIZES[size].viewport);
          await page.waitForTimeout(SETTLE_MS);
          await page.screenshot({ path: `${out}/${state}-${size}-${theme}.png` });
        }
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
