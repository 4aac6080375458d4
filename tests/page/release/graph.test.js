// Texts of the graph in calm and wild games, at every width and in every language.

import { test } from 'node:test';
import { assertGraphIsClear, valuedGame } from '../graph-values.js';
import { stage } from '../harness/stage.js';

const site = stage();

for (const seed of [3, 4, 5])
  test(`texts of the graph do not overlap in game ${seed}, from 320 to 1280 pixels, in every mode and language`, async () => {
    const page = await valuedGame(site, seed);
    await assertGraphIsClear(page, { widths: [320], languages: ['en', 'fr', 'ja', 'zh'] });
    await assertGraphIsClear(page, { widths: [390, 560, 701, 900, 1280], languages: ['fr'] });
  });
