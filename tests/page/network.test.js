// The large network: loaded on request, and refused if it is not the built file.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from './hands.js';
import * as network from './harness/network.js';

test('the large network is loaded when it is selected, replaces the values, and survives a reload', async (t) => {
  const { host, page, server } = await network.openedHost(t);
  await network.untilWeights(page, network.SMALL);
  assert.ok(!server.asked.some(network.isLarge), 'nothing is loaded before it is wanted');
  const rows = () =>
    page.evaluate(() => {
      const { sorted } = outflank.values.rows(outflank.study.position, false);
      return String(sorted.map(({ move, value }) => `${move} ${value}`).sort());
    });
  await page.waitForFunction(() => outflank.analysis.done);
  const small = await rows();
  // A value so deep that no later one replaces it, stored on the device.
  await page.evaluate(() => {
    const { study, values } = outflank;
    values.add(study.position, { rows: ['search f5 33 0 50'] });
    values.keep(study.position);
  });
  const field = await network.networkChoice(page);

  const damaged = Buffer.from(network.LARGE_BYTES);
  damaged[damaged.length >> 1] ^= 1;
  host.instead = (path) => (network.isLarge(path) ? { body: damaged } : null);
  await field.large.click();
  await page.untilNotice(/could not be loaded/);
  await until(() => field.small.isChecked(), true);

  host.instead = null;
  await field.large.check();
  await network.untilWeights(page, network.LARGE);
  await until(() => field.state.textContent(), '');
  assert.ok(await field.large.isChecked());
  await until(async () => [small, ''].includes(await rows()), false);
  await page.reload();
  await network.untilWeights(page, network.LARGE);

  await (await network.networkChoice(page)).small.check();
  await network.untilWeights(page, network.SMALL);
  await until(rows, small);
});
