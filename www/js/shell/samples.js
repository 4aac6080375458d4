// The sample games of an empty study.

import { $, h } from '../base/dom.js';
import { loadJson } from '../base/load.js';

/** Shows the samples in the current language. @param {App} app */
export async function offerSamples(app) {
  const samples = await loadJson('data/samples.json').catch(() => []);
  const draw = () => {
    const open = ({ moves }) => app.taking().then(({ takeText }) => takeText(app, moves));
    const buttons = samples.map((sample) =>
      h('button', { onclick: () => open(sample) }, app.words.pick(sample)),
    );
    $('#samples').replaceChildren(...buttons);
  };
  app.words.changed.listen(draw);
  draw();
}
