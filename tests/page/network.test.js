// The large network: equal in the browser and the native program, loaded on request, and refused if it is not the built file.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until, untilNotice } from './hands.js';
import { line, lines, send, startWorker } from './harness/engine.js';
import { hosting } from './harness/hosted.js';
import * as network from './harness/network.js';

const site = hosting();

test('a worker with the large network answers like the native engine', async (t) => {
  const { page } = await network.openedHost(site, t, { path: '/version.json' });
  const info = await startWorker(page, 'network=large');
  assert.deepEqual([info.weights, info.missed, info.threads], [network.LARGE, undefined, 0]);
  const question = network.question('B[F5]W[D6]B[C3]');
  await send(page, ...question);
  await line(page, /^search/);
  await line(page, network.ANSWERED);
  const large = await network.nativeValues('large', question);
  assert.ok(large.length >= 4, large.join('\n'));
  assert.deepEqual(network.valuesIn(await lines(page)), large);
  assert.notDeepEqual(await network.nativeValues('small', question), large, 'the networks differ');
});

test('the large network is loaded when it is selected, replaces the values, and survives a reload', async (t) => {
  const { host, page, server } = await network.openedHost(site, t);
  await network.untilWeights(page, network.SMALL);
  assert.ok(!server.asked.some(network.isLarge), 'nothing is loaded before it is wanted');
  const rows = () =>
    page.evaluate(() => {
      const { sorted } = outflank.values.rows(outflank.study.position, false);
      return String(sorted.map(({ move, value }) => `${move} ${value}`).sort());
    });
  const nativeRows = async (name) => {
    const values = await network.nativeValues(name, network.question(''));
    const words = values.slice(-4).map((text) => text.split(' '));
    return String(words.map(([, pv, value]) => `${pv.slice(0, 2).toLowerCase()} ${Number(value)}`).sort());
  };
  await until(rows, await nativeRows('small'));
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
  await untilNotice(page, /could not be loaded/);
  await until(() => field.small.isChecked(), true);

  host.instead = null;
  await field.large.check();
  await network.untilWeights(page, network.LARGE);
  await until(() => field.state.textContent(), '');
  assert.ok(await field.large.isChecked());
  await until(rows, await nativeRows('large'));
  await page.reload();
  await network.untilWeights(page, network.LARGE);

  await (await network.networkChoice(page)).small.check();
  await network.untilWeights(page, network.SMALL);
  await until(rows, await nativeRows('small'));
});
