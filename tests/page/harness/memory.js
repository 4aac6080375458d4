// Memory of the browser's renderer processes, as Linux counts it.

import { readdirSync, readFileSync } from 'node:fs';

/** The largest memory of any renderer started below this process, in bytes: the proportional set size, which shares common pages
 *  out. `null` without `/proc`. */
export function rendererMemory() {
  const process = rendererProcess();
  return process === null ? null : sizeOf(process);
}

/** The process id of the renderer with the most memory among the descendants of this process. `null` without `/proc`. */
export function rendererProcess() {
  try {
    const sizes = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && isOurRenderer(name))
      .map((pid) => ({ pid, size: sizeOf(pid) }))
      .sort((a, b) => b.size - a.size);
    return sizes[0]?.pid ?? null;
  } catch {
    return null;
  }
}

const sizeOf = (pid) =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) * 1024;

function isOurRenderer(pid) {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) return false;
    for (let at = pid; at !== '0'; at = parent(at)) if (at === String(process.pid)) return true;
  } catch {
    // It ended while we looked.
  }
  return false;
}

function parent(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold anything: the fields are counted from the last bracket.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
}
