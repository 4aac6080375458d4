// Joins what stands beside the board: whole-game analysis and its report, games, puzzles, matches, the
// editor and saving.

import { $ } from './dom.js';
import { Editor } from './editor.js';
import { Games } from './games.js';
import { Puzzles } from './puzzles.js';
import { LIVE_MS, Report } from './report.js';
import { Review } from './review.js';
import { askMatch } from './match.js';
import { askSave } from './save.js';

export function joinTabs(app) {
  const { words, rules, knowledge, notices, settings } = app;
  const { t } = words;

  app.review = new Review({
    knowledge,
    rules,
    changed: () => {
      app.analyse();
      app.painter.later();
      app.report.later();
    },
    trouble: (message) => notices.show(t('engine.restarted', { detail: message }), { kind: 'fault', key: 'death' }),
  });
  const review = () => {
    const line = app.study.tree.main;
    if (line.length < 2) {
      notices.show(t('report.noGame'), { key: 'review', stay: 4000 });
      return;
    }
    app.leaveMode();
    app.review.start(line.map((node) => node.position), { depth: settings.get('reviewDepth'), workers: settings.get('workers') });
    app.tabs.show('report', true);
  };
  const stop = () => {
    app.review.stop();
    app.analyse();
    app.report.draw();
  };
  app.puzzles = new Puzzles($('#panel-puzzles'), words, app);
  app.report = new Report($('#panel-report'), words, app, {
    start: review,
    stop,
    go: (node) => app.study.go(node),
    retry: (node) => {
      const { position } = node.parent;
      const evaluation = knowledge.get(position);
      const exact = evaluation.settled?.exact ? Object.fromEntries([...evaluation.rows.values()].map((row) => [row.move, row.value])) : null;
      app.puzzles.addOwn(position, exact);
      app.puzzles.open({ id: position, position, scores: exact, own: true });
    },
  });
  app.games = new Games($('#panel-games'), words, app.store, { open: (game) => app.load(game) });
  app.games.onCleared = (n, restore) => notices.show(t('games.cleared', { n }), { key: 'games', action: { label: t('do.undo'), run: restore } });

  Object.assign(app.actions, {
    review: () => (app.review.running ? stop() : review()),
    play: () => askMatch(app),
    edit: () => (app.mode instanceof Editor ? app.leaveMode() : app.enterMode(new Editor(app))),
    save: () => askSave(app),
  });

  app.listeners.push((what, name) => {
    if (what === 'load') app.review.stop();
    if (what === 'language') {
      app.games.label();
      app.report.draw();
      app.puzzles.draw();
    }
    if (what === 'tab' && name === 'report') app.report.draw();
    if (what === 'tab' && name === 'puzzles') app.puzzles.draw();
    if (what === 'tree' || what === 'load') app.report.later();
    if (what === 'analysis' && app.tabs.current === 'report') app.report.later(LIVE_MS);
  });
}
