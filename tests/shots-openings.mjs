import { launchBrowser } from './harness/browser.js';
import { randomBase, nameFile, wtb, numbersOf, randomOf, randomGame } from './harness/base.js';
const browser = await launchBrowser();
const lines = ['f5d6c3d3c4f4f6f3', 'f5d6c3d3c4f4c5b3', 'f5d6c4d3c3', 'f5f6e6f4e3c5', 'f5d6c5f4e3c6', 'f5f4e3f6d3'];
const random = randomOf(5);
const first = ['Tamenori','Murakami','Caspard','Juigner','Nicolet','Brightwell','Leader','Shaman','Kashiwabara','Piau'];
const games = Array.from({ length: 900 }, () => {
  const line = lines[Math.floor(random() ** 2 * lines.length)];
  return { moves: numbersOf(line), discs: 20 + Math.floor(random() * 25), black: Math.floor(random()*10), white: Math.floor(random()*10), tournament: Math.floor(random()*3) };
});
const bad = wtb([{ moves: [56, 64, 11], discs: 40 }, ...games.slice(0, 300)], { year: 2003, records: 400 });
const files = [['WTHOR.JOU', nameFile(first, 20)], ['WTHOR.TRN', nameFile(['Mondial 2004 (Londres)', 'Open de Paris', 'Meijin'], 26)], ['WTH_2004.wtb', wtb(games)], ['WTH_2003.wtb', bad]];
const shots = [
  ['1600', { width: 1600, height: 1000 }, 'light', 'en-GB'],
  ['1280d', { width: 1280, height: 800 }, 'dark', 'fr-FR'],
  ['1024', { width: 1024, height: 768 }, 'light', 'ja-JP'],
  ['390', { width: 390, height: 844 }, 'light', 'fr-FR', true],
  ['land', { width: 844, height: 390 }, 'dark', 'zh-CN', true],
  ['320', { width: 320, height: 640 }, 'dark', 'en-GB', true],
];
for (const [name, viewport, colorScheme, locale, touch] of shots) {
  if (process.argv[2] && !name.match(process.argv[2])) continue;
  const page = await browser.newPage({ viewport, colorScheme, locale, hasTouch: touch, isMobile: touch });
  page.on('pageerror', (e) => console.log(name, e.message));
  await page.goto('http://127.0.0.1:8115/#f5');
  await page.waitForFunction(() => performance.getEntriesByName('board-shown').length > 0);
  await page.evaluate(() => outflank.act('openings'));
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `/tmp/op-${name}-empty.png` });
  await page.evaluate((files) => {
    const dataTransfer = new DataTransfer();
    for (const [name, bytes] of files) dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, files.map(([n, b]) => [n, [...b]]));
  await page.waitForFunction(() => document.querySelectorAll('.played tbody').length > 1, null, { timeout: 60000 });
  await page.waitForTimeout(9000);
  await page.evaluate(() => { for (const n of document.querySelectorAll('.notice .close')) n.click(); });
  await page.screenshot({ path: `/tmp/op-${name}.png` });
  await page.evaluate(() => { for (const d of document.querySelectorAll('#panel-openings details')) d.open = true; document.querySelector('.fold').scrollIntoView(); document.querySelector('.list').hidden = true; });
  await page.waitForTimeout(300);
  await page.screenshot({ path: `/tmp/op-${name}-open.png` });
  await page.close();
}
await browser.close();
