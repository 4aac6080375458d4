// Joins what stands beside the board, each part loaded when it is first wanted: whole-game analysis and
// its report, games, puzzles, matches, the editor and saving.

import { $ } from '../base/dom.js';

/** Loaders of the parts; each is run once. */
function makeParts(app) {
  const { words, rules, evaluations, notices } = app;
  const { t } = words;
  const loaders = {
    async games() {
      const { Games } = await import('../panels/games.js');
      app.games = new Games($('#panel-games'), words, app.store, { open: (game) => app.load(game) });
      app.games.onCleared = (n, restore) => notices.show(t('games.cleared', { n }), { key: 'games', action: { label: t('do.undo'), run: restore } });
      return app.games;
    },
    async puzzles() {
      const { Puzzles } = await import('../panels/puzzles.js');
      app.puzzles = new Puzzles($('#panel-puzzles'), words, app);
      return app.puzzles;
    },
    async report() {
      const [{ Report }, { Review }] = await Promise.all([import('../panels/report.js'), import('../engine/review.js')]);
      app.review = new Review({
        evaluations,
        rules,
        changed: () => {
          app.analyse();
          app.painter.later();
          app.report.later();
        },
        trouble: (message) => notices.show(t('engine.restarted', { detail: message }), { kind: 'fault', key: 'death' }),
        outdated: () => notices.show(t('update.ready'), { key: 'update', stay: 0, action: { label: t('do.update'), run: () => location.reload() } }),
      });
      app.report = new Report($('#panel-report'), words, app, {
        start: () => startReview(app),
        stop: () => stopReview(app),
        go: (node) => app.study.go(node),
        retry: (node) => practise(app, [node]),
        practise: (nodes) => practise(app, nodes),
      });
      return app.report;
    },
  };
  const running = {};
  return (name) => (running[name] ??= loaders[name]().catch((error) => {
    running[name] = null;
    app.fail(error);
    throw error;
  }));
}

async function startReview(app) {
  const { notices, settings } = app;
  const line = app.study.tree.main;
  if (line.length < 2) {
    notices.show(app.words.t('report.noGame'), { key: 'review', stay: 4000 });
    return;
  }
  await app.part('report');
  app.leaveMode();
  app.review.start(line.map((node) => node.position), { depth: settings.get('reviewDepth'), workers: settings.get('workers') });
  app.tabs.show('report', true);
}

function stopReview(app) {
  app.review.stop();
  app.analyse();
  app.painter.now();
  app.report.draw();
}

/** Makes puzzles of mistakes and sets the first of them on the board. */
async function practise(app, nodes) {
  const puzzles = await app.part('puzzles');
  const own = nodes.map(({ parent: { position } }) => {
    const { settled, rows } = app.evaluations.get(position);
    const scores = settled?.exact ? Object.fromEntries([...rows.values()].map((row) => [row.move, row.value])) : null;
    return { id: position, position, scores, own: true };
  });
  await puzzles.addOwn(own);
  if (own.length > 1) app.notices.show(app.words.t('report.practised', { n: own.length }), { stay: 5000, key: 'practise' });
  puzzles.open(own[0]);
}

export function joinParts(app) {
  app.part = makeParts(app);
  if (navigator.maxTouchPoints > 0) {
    import('./swipe.js').then(({ joinSwipe }) => { app.swipes = joinSwipe($('.stage'), { next: () => app.act('forward'), previous: () => app.act('back') }); }, () => {});
  }
  Object.assign(app.actions, {
    review: () => (app.review?.running ? stopReview(app) : startReview(app)),
    play: async () => (await import('../modes/match.js')).askMatch(app),
    edit: async () => {
      const { Editor } = await import('../modes/editor.js');
      if (app.mode instanceof Editor) app.leaveMode();
      else app.enterMode(new Editor(app));
    },
    save: async () => (await import('../io/save.js')).askSave(app),
  });
  const drawPart = { report: () => app.report.draw(), puzzles: () => app.puzzles.draw(), games: () => {} };
  app.listeners.push((what, name) => {
    if (what === 'load') app.review?.stop();
    if (what === 'language') {
      app.games?.label();
      app.report?.draw();
      app.puzzles?.draw();
    }
    if (what === 'tab' && name in drawPart) app.part(name).then(drawPart[name], () => {});
    if (what === 'tab' && name === 'console') import('../panels/dialects.js').then(({ offerDialects }) => offerDialects(app), () => {});
    if (what === 'tree' || what === 'load') app.report?.later();
    if (what === 'analysis' && app.tabs.current === 'report') app.report?.live();
  });
}
