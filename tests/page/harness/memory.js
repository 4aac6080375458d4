// Memory of the browser's renderer processes, as Linux counts it.

import { readFileSync } from 'node:fs';

/** The proportional set size of a process in bytes, which shares common pages out. `null` without `/proc`. */
function sizeOf(id) {
  try {
    return 1024 * Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))[1]);
  } catch {
    return null;
  }
}

/** The renderer of a browser with the most memory: its process id and its size. */
export async function largestRenderer(browser) {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  await devtools.detach();
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return renderers.map(({ id }) => ({ id, bytes: sizeOf(id) })).sort((a, b) => b.bytes - a.bytes)[0];
}
