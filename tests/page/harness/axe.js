// Violations of accessibility rules, found by axe.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the violations in the elements that match, each with its elements. */
export async function violations(page, selector = 'html') {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (selector) => {
    const parts = document.querySelectorAll(selector);
    const { violations } = await window.axe.run(parts, { resultTypes: ['violations'] });
    const describe = ({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`;
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(describe).join(' | ')}`);
  }, selector);
}
