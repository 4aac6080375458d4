// Names and saved games for the database, and its explorer.

import assert from 'node:assert/strict';
import test from 'node:test';

import { folded } from '../../../www/js/base/find.js';
import { START } from '../../../www/js/base/position.js';
import { numbered } from '../../../www/js/database/device-games.js';
import { Names } from '../../../www/js/database/names.js';
import { Explorer } from '../../../www/js/model/explorer.js';

test('names are found by words in any order, without accents, in any case', () => {
  const names = new Names(['Jérôme Dupont', 'DUPOND Jerome', '為則 英司', '']);
  const wanted = ['jerome dup', 'DUPONT', '為則'].map((query) => names.wanted(query).join(''));
  assert.equal(wanted.join(), '1100,1000,0010');
  assert.equal(folded('ÉÀ'), 'ea');
});

test('saved games get numbers for names; invalid games are dropped, and games of a file name it', () => {
  const game = (moves, more) => ({ start: START, moves, ...more });
  const kept = [
    game('f5', { black: 'Ann', white: 'Bob', date: '2001', result: 4, base: 'a.wtb' }),
    null,
    ...['', 7, 'f5 d6'].map((moves) => game(moves)),
    { start: 's', moves: 'f5' },
    game('d3', { black: 'Bob', place: 'Paris', result: Number.NaN, base: 'gone.wtb' }),
    game('c4', { black: 5, date: {} }),
  ];
  const { games, plain, players, tournaments } = numbered(kept, (name) => (name === 'a.wtb' ? 3 : undefined));
  const numbers = ({ black, white, tournament, year, result, base }) =>
    [black, white, tournament, year, result, base].join();
  assert.equal(plain.map(numbers).join(' '), '1,2,0,2001,4,3 2,0,1,,, 3,0,0,,,');
  assert.equal(`${games.length} ${players} ${tournaments}`, '3 ,Ann,Bob,5 ,Paris');
});

/** A store without storage, and workers controlled by the test. */
function explorerWith(postMessage) {
  const store = { written: { listen() {} }, apart: async () => null };
  const workers = [];
  const terminate = function () {
    this.ended = true;
  };
  const spawn = () => workers[workers.push({ postMessage, terminate }) - 1];
  return { explorer: new Explorer(store, spawn), workers };
}

test('the worker starts with the first request; answers match their requests in any order', async () => {
  const asked = [];
  const { explorer, workers } = explorerWith((message) => message.number && asked.push(message));
  assert.equal(workers.length, 0);
  const [a, b] = [explorer.lookUp('a'), explorer.lookUp('b')];
  assert.equal(asked.map(({ ask, details }) => `${ask} ${details[0]}`).join(), 'lookUp a,lookUp b');
  workers[0].onmessage({ data: { number: asked[1].number, answer: 2 } });
  workers[0].onmessage({ data: { number: asked[0].number, error: { message: 'no', code: 'x' } } });
  workers[0].onmessage({ data: { number: 99, answer: 0 } });
  assert.equal(await b, 2);
  await assert.rejects(a, { code: 'x', message: 'no' });
  assert.equal(workers.length, 1);
});

test('a crashed worker is replaced twice, then it stays off until it is restarted', async () => {
  const { explorer, workers } = explorerWith(() => {});
  for (let i = 0; i < 3; i++) {
    const asked = [explorer.lookUp('a'), explorer.moves('b')];
    workers.at(-1).onerror({ message: 'gone' });
    // A late message of a crashed worker is ignored.
    workers.at(-1).onmessage({ data: { fatal: 'again' } });
    for (const answer of asked) await assert.rejects(answer, { code: 'database-died' });
    assert.ok(workers.at(-1).ended);
  }
  assert.equal(workers.length, 3);
  assert.ok(explorer.crashed);
  await assert.rejects(explorer.lookUp('a'), { code: 'database-dead' });
  explorer.revive();
  explorer.lookUp('a').catch(() => {});
  assert.equal(workers.length, 4);
});
