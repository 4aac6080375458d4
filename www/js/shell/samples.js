// The sample games of an empty study.

import { $, h } from '../base/dom.js';
import { loadJson } from '../base/load.js';

/** Shows the samples in the current language. @param {App} app */
export async function offerSamples(app) {
  const samples = await loadJson('data/samples.json').catch(() => []);
  const draw = () => {
    const buttons = samples.map((sample) =>
      h(
        'button',
        { onclick: () => app.taking().then(({ takeText }) => takeText(app, sample.moves)) },
        app.words.pick(sample),
      ),
    );
    $('#samples').replaceChildren(...buttons);
  };
  app.words.changed.listen(draw);
  draw();
}
