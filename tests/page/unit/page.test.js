// Small modules of the page, texts, and the order of modules.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import test from 'node:test';
import { clock, disc, lossClass, mark, proofText } from '../../../www/js/base/format.js';
import { Translations } from '../../../www/js/base/translations.js';
import { answered, isGoodEnough, pick, RESTS_MS } from '../../../www/js/model/practice.js';
import { actionOf } from '../../../www/js/shell/keys.js';
import { pickLanguage } from '../../../www/js/shell/languages.js';
import { json, LANGUAGES } from '../harness/app.js';

test('values: whole where exact, one decimal otherwise, a true minus, and their marks', () => {
  const values = [-3.96, 0.04, 11.65, -11.65, 0.05].map((value) => disc(value));
  assert.equal(values.join(' '), '\u22124.0 0.0 +11.7 \u221211.7 +0.1');
  assert.equal(`${disc(4, true)} ${disc(-0.2, true)} ${clock(3725)} ${clock(-3)}`, '+4 0 1:02:05 0:00');
  assert.equal([0, 0.5, 2, 2.1, 6, 6.1].map(lossClass).join(' '), 'l0 l1 l1 l2 l2 l3');
  const selective = { kind: 'selective', depth: 22, confidence: 84 };
  const proofs = [{ kind: 'exact' }, { kind: 'outcome', outcome: 'D' }, selective, { kind: 'heuristic' }];
  assert.equal(proofs.map((proof) => mark(proof)).join(), '✓,D,84%,');
  assert.equal(`${proofText(selective)}${proofText(null)}`, '22 · 84%');
});

test('keys: by position, not during composition, single ones can be off', () => {
  // Undo follows the printed letter: German, French, and a keyboard without Latin letters.
  for (const row of `KeyL engine
    KeyL off null
    ArrowLeft off back
    ArrowLeft shift mistake-back
    KeyC ctrl shift copy-ggf
    KeyL composing null
    Digit7 shift printed-/ command
    KeyQ null
    KeyY ctrl printed-z undo
    KeyZ ctrl printed-y redo
    KeyW ctrl printed-z undo
    KeyZ ctrl printed-я undo`.split(/\n\s*/)) {
    const [code, ...words] = row.split(' ');
    const [ctrlKey, shiftKey, isComposing, isOff] = ['ctrl', 'shift', 'composing', 'off'].map((word) =>
      words.includes(word),
    );
    const [, key = ''] = /printed-(.)/.exec(row) ?? [];
    const action = actionOf({ code, key, ctrlKey, shiftKey, isComposing }, !isOff);
    assert.equal(String(action), words.at(-1), row);
  }
});

test('wrongly answered puzzles come back', () => {
  const puzzles = [...'abc'].map((id) => ({ id }));
  const now = 1_000_000;
  const progress = new Map();
  const next = (...how) => pick(puzzles, progress, now, ...how).id;
  assert.equal(next(), 'a');
  progress.set('a', answered(null, true, now));
  assert.equal(next(), 'b');
  progress.set('b', answered(null, false, now));
  // A third one follows two that were skipped.
  assert.equal([next('b'), next('c', new Set(['b', 'c'])), next()].join(), 'c,a,b');
  assert.equal(progress.get('a').due, now + RESTS_MS[1]);
  assert.equal(answered({ box: 4, due: 0, tries: 9, right: 8 }, false, now).box, 0);
});

test('a good move loses at most a disc or a quarter of the mistake and keeps the outcome', () => {
  const isGood = (loss, mistake, changed = null) => isGoodEnough({ loss, changed }, mistake);
  assert.ok(isGood(0, 8) && isGood(2, 8) && isGood(1, 2));
  assert.ok(!isGood(3, 8) && !isGood(2, 4) && !isGood(0.5, 8, 'WD'));
});

/** The texts of the start, then all others: by language. */
const wordFiles = ['', 'parts/'].map((folder) =>
  Object.fromEntries(LANGUAGES.map((name) => [name, json(`lang/${folder}${name}`)])),
);

test('every language has every sentence, with the same arguments', () => {
  const holes = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
  for (const file of wordFiles) {
    const { en: english } = file;
    for (const name of LANGUAGES.slice(1)) {
      const words = file[name];
      for (const sentence of Object.keys(words))
        assert.ok(sentence in english, `${name}: ${sentence} is not in English`);
      for (const [sentence, text] of Object.entries(english)) {
        const plural = /\.one$/.test(sentence) && !(sentence in words);
        const other = words[plural ? sentence.replace(/\.one$/, '.other') : sentence];
        assert.deepEqual(holes(other), holes(text), `${name}: ${sentence}`);
        // No line of French begins with these.
        assert.doesNotMatch(other, / [:;?!»%]/);
      }
    }
  }
});

test('texts have arguments, plurals and fallbacks', () => {
  const words = new Translations('en', { a: 'at {n}', 'b.one': '{n} game', 'b.other': '{n} games' });
  const texts = [words.t('b', { n: 1 }), words.t('b', { n: 1200 }), words.t('missing')];
  assert.equal(texts.join(), '1 game,1,200 games,missing');
  assert.equal(words.compact(11_800_000), '11.8\u00a0M');
  const wanted = [pickLanguage(null, ['de-DE', 'fr-CH']), pickLanguage('ja', ['fr'])];
  assert.equal([...wanted, pickLanguage(null, ['zh-Hans-CN', 'en'])].join(), 'fr,ja,zh');
});

const JS = new URL('../../../www/js/', import.meta.url);
/** Every module of the page, by its path below `js/`. */
const modules = new Map(
  readdirSync(JS, { recursive: true })
    .filter((path) => path.endsWith('.js'))
    .map((path) => [path, readFileSync(new URL(path, JS), 'utf8')]),
);
/** The modules that a module imports at once, by their paths. */
const importsOf = (path) =>
  [...modules.get(path).matchAll(/^(?:import|export)\s[^;]*?from '(\.[^']+)'/gm)].map(([, from]) =>
    posix.join(posix.dirname(path), from),
  );

test('every sentence that the page uses exists', () => {
  const english = Object.assign({}, ...wordFiles.map(({ en }) => en));
  const page = readFileSync(new URL('../../../www/index.html', import.meta.url), 'utf8');
  const found = [page, ...modules.values()].flatMap((text) => [
    ...text.matchAll(/(?:\bt\(\s*'|data-t(?:-label)?=")([\w.-]+)['"]/g),
  ]);
  const asked = new Set(found.map(([, sentence]) => sentence));
  assert.ok(asked.size > 150);
  for (const sentence of asked) assert.ok(sentence in english || `${sentence}.other` in english, sentence);
});

test('parts are loaded only by the loader that tries again', () => {
  for (const [path, text] of modules)
    if (path !== 'base/load.js') assert.doesNotMatch(text, /(=>|await|[[=]) ?import\(/, path);
});

test('a module imports only from its own folder and those before it', () => {
  const order = 'base engine model database board panels modes io shell'.split(' ');
  const place = (path) => order.indexOf(posix.dirname(path));
  for (const path of modules.keys()) {
    assert.ok(place(path) >= 0, path);
    for (const from of importsOf(path)) assert.ok(place(from) <= place(path), `${path} imports ${from}`);
  }
});
