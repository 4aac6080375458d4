import { readFileSync, writeFileSync } from 'node:fs';
import { launchBrowser } from './harness/browser.js';
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto('http://127.0.0.1:8115/');
await page.waitForFunction(() => performance.getEntriesByName('board-shown').length > 0);
await page.evaluate(() => { outflank.settings.set('engine', false); outflank.act('openings'); });
const bytes = readFileSync('/tmp/openings-150k.wtb');
await page.evaluate(() => { window.parts = []; });
for (let at = 0; at < bytes.length; at += 1_000_000)
  await page.evaluate((t) => { window.parts.push(Uint8Array.from(atob(t), (c) => c.charCodeAt(0))); }, bytes.subarray(at, at + 1_000_000).toString('base64'));
await page.evaluate(() => { window.file = new File(window.parts, 'all.wtb'); window.parts = null; });
await page.waitForTimeout(5000);
await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'v8', '__metadata'] });
const secs = await page.evaluate(async () => {
  const s = performance.now();
  await (await outflank.explorer()).add([window.file]);
  return (performance.now() - s) / 1000;
});
await page.waitForTimeout(3000);
await page.evaluate(async () => {
  for (let i = 0; i < 10; i++) {
    const m = document.querySelector('.played button');
    if (!m) break;
    m.click();
    await new Promise((r) => setTimeout(r, 1200));
  }
});
const trace = JSON.parse((await browser.stopTracing()).toString());
const events = trace.traceEvents;
const names = new Map();
for (const e of events) if (e.ph === 'M' && e.name === 'thread_name') names.set(`${e.pid} ${e.tid}`, e.args.name);
const by = {};
for (const e of events) {
  if (e.ph !== 'X' || e.tdur === undefined) continue;
  if (!/RunTask/.test(e.name)) continue;
  const n = names.get(`${e.pid} ${e.tid}`);
  if (!/CrRendererMain|DedicatedWorker/.test(n)) continue;
  (by[`${n} ${e.pid} ${e.tid}`] ??= []).push(e);
}
console.log('add', secs.toFixed(2), 's');
for (const [n, l] of Object.entries(by)) {
  l.sort((a, b) => b.tdur - a.tdur);
  console.log(n, 'sum ms', (l.reduce((a, e) => a + e.tdur, 0) / 1000).toFixed(0), 'longest cpu', l.slice(0, 6).map((e) => (e.tdur / 1000).toFixed(1)).join(' '), 'longest wall', Math.max(...l.map((e) => e.dur)) / 1000);
  if (/Main/.test(n)) for (const top of l.slice(0, 3)) {
    const inner = events.filter((e) => e.pid === top.pid && e.tid === top.tid && e.ts >= top.ts && e.ts < top.ts + top.dur && e.tdur > 2000 && e !== top);
    console.log('   ', inner.map((e) => `${e.name}:${(e.tdur / 1000).toFixed(1)}`).slice(0, 14).join(' '));
  }
}
await browser.close();
