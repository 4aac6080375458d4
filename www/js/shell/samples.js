// The sample games of the empty page.

import { $, h } from '../base/dom.js';

export async function offerSamples(app) {
  const samples = await fetch(new URL('../../data/samples.json', import.meta.url)).then((answer) => answer.json()).catch(() => []);
  $('#samples').replaceChildren(
    ...samples.map((sample) => h('button', { type: 'button', text: app.words.pick(sample), onclick: () => app.taking().then(({ takeText }) => takeText(app, sample.moves)) })),
  );
}
