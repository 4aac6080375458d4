// The modes, each in a file of its own with its words in `lang/parts/`, under the same name.

/** @type {ModeEntry[]} */
export const MODES = [
  { id: 'match', create: async (app, setup) => (await import('./match-start.js')).create(app, setup) },
  {
    id: 'summary',
    words: 'match',
    create: async (app, setup) => (await import('./match-summary.js')).create(app, setup),
  },
  { id: 'editor', create: async (app) => (await import('./editor.js')).create(app) },
  {
    id: 'puzzle',
    words: 'puzzles',
    create: async (app, setup) => (await import('./puzzle.js')).create(app, setup),
  },
  { id: 'trainer', create: async (app, setup) => (await import('./trainer.js')).create(app, setup) },
  { id: 'learn', create: async (app, setup) => (await import('./learn.js')).create(app, setup) },
];
