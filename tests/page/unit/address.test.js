// The address of the page, with an invented window: a typed address, a reload and a late timer in every order.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Signal } from '../../../www/js/base/signal.js';
import { attachAddress } from '../../../www/js/shell/address.js';

const DELAY_MS = 400;

/** A tab: its address, and what it remembers of the page before. */
function tab(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const session = new Map();
  let listeners = {};
  const here = new URL('https://host/');
  Object.assign(globalThis, {
    location: here,
    window: globalThis,
    addEventListener: (name, listener) => (listeners[name] = listener),
    history: { replaceState: (_state, _title, url) => (here.href = new URL(url, here).href) },
    sessionStorage: {
      getItem: (key) => session.get(key) ?? null,
      setItem: (key, value) => session.set(key, value),
      removeItem: (key) => session.delete(key),
    },
  });

  const all = {
    moves: '',
    /** A move of the user, which the page writes later. */
    play(moves) {
      all.moves = moves;
      all.changed.send('move');
    },
    /** Types an address. Returns the delivery of its event, which the browser sends later. */
    type(hash) {
      here.hash = hash;
      const newURL = here.href;
      return () => listeners.hashchange({ newURL });
    },
    leave: () => listeners.pagehide(),
    here,
    changed: null,
    /** Loads the page. @param {string} type of the visit */
    async load(type) {
      listeners = {};
      all.moves = '';
      all.changed = new Signal();
      t.mock.method(performance, 'getEntriesByType', () => [{ type }]);
      await attachAddress({
        t: (key) => key,
        modes: {},
        study: { changed: all.changed, node: null, tree: { link: () => all.moves } },
        taking: async () => ({
          takeLink(_, moves) {
            if (moves.endsWith('a1')) return false;
            all.moves = moves;
            all.changed.send('load');
            return true;
          },
        }),
      });
    },
  };
  return all;
}
const settled = () => new Promise(setImmediate);

test('a typed address is opened, whether the page writes its own before, at the same time or never', async (t) => {
  for (const played of [null, 0, DELAY_MS - 1, DELAY_MS]) {
    const page = tab(t);
    await page.load('navigate');
    if (played !== null) {
      page.play('d3');
      t.mock.timers.tick(played);
      assert.equal(page.here.hash, played === DELAY_MS ? '#d3' : '');
    }
    const deliver = page.type('#f5d6');
    // The timer may come before the event of the address.
    t.mock.timers.tick(1);
    deliver();
    await settled();
    t.mock.timers.tick(DELAY_MS);
    await settled();
    assert.deepEqual([page.moves, page.here.hash], ['f5d6', '#f5d6'], `${played} ms after a move`);
    t.mock.timers.reset();
  }
});

test('an invalid address changes nothing, and a move just before a reload stays, whenever its address is written', async (t) => {
  for (const order of ['write leave', 'leave write', 'leave']) {
    const page = tab(t);
    page.here.hash = '#f5d6';
    await page.load('navigate');
    page.type('#f5a1')();
    await settled();
    assert.deepEqual([page.moves, page.here.hash], ['f5d6', '#f5d6']);
    // The browser reloads the address of this moment.
    const { hash } = page.here;
    page.play('f5d6c3');
    for (const step of order.split(' ')) {
      if (step === 'leave') page.leave();
      else t.mock.timers.tick(DELAY_MS);
      await settled();
    }
    page.here.hash = hash;
    await page.load('reload');
    await settled();
    assert.deepEqual([page.moves, page.here.hash], ['f5d6c3', '#f5d6c3'], order);
    // Another address that is visited later is a new one.
    page.leave();
    page.here.hash = '#f5f4';
    // A tab that crashes is reloaded without having left.
    for (const type of ['navigate', 'reload']) {
      await page.load(type);
      assert.equal(page.moves, 'f5f4', `${order} ${type}`);
    }
    t.mock.timers.reset();
  }
});
