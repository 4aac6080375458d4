// The supported screen sizes, and the states of the page for screenshots.

const NAMES = '1600x1000 1280x800 1024x768 667x375 390x844 320x568'.split(' ');
const sizeOf = (name) => {
  const [width, height] = name.split('x').map(Number);
  return { viewport: { width, height }, ...(width < 1000 && { hasTouch: true, isMobile: true }) };
};
export const SIZES = Object.fromEntries(NAMES.map((name) => [name, sizeOf(name)]));

/** A game with slips on both sides, with names. */
const SLIPS =
  '(;GM[Othello]PC[Outflank]DT[2026-03-01]PB[Bartholomew Featherstonehaugh]PW[Wilhelmina Przybyszewska]TY[8]B[F5]W[D6]B[C3]W[D3]B[C4]W[F4]B[F6]W[G5]B[E6]W[D7]B[E7]W[C5]B[D8]W[E3]B[C6]W[C7]B[F3]W[C2]B[B4]W[E2]B[F2]W[D2]B[H4]W[B5]B[G4]W[F8]B[F7]W[F1];)';

const inTurn =
  (...actions) =>
  async (page) => {
    for (const action of actions) await action(page);
  };
const act = (name) => (page) => page.act(name);
const setting = (name, value) => (page) => page.set(name, value);
const untilMode = (page) => page.shows('.mode');
const untilStage = (stage) => (page) =>
  page.waitForFunction((stage) => outflank.modes.current.stage === stage, stage);
const dialog = (action) => async (page) => {
  // Not waited for: some actions end with their dialog.
  await page.evaluate((action) => {
    outflank.act(action);
  }, action);
  await page.shows('dialog[open]');
};

async function loaded(page) {
  // A pasted game would be analyzed at once.
  await page.evaluate(async (text) => {
    const { games } = outflank.rules.readGames(text);
    (await outflank.taking()).putGame(outflank, games[0]);
    await outflank.saveGames(games);
  }, SLIPS);
  await page.waitForFunction(() => outflank.study.tree.main.length > 20);
}

/** A review with a small depth: a deeper one takes too long for every picture. */
const reviewed = inTurn(
  setting('reviewDepth', 8),
  setting('depth', 8),
  loaded,
  act('review'),
  (page) => page.reviewEnds(),
  act('last'),
);

/** Actions on a fresh page, by the name of the state that they show, in an order in which one may follow another. */
export const STATES = {
  start: async () => {},
  moves: inTurn(loaded, act('moves')),
  'no-engine': inTurn(loaded, setting('engine', false)),
  report: reviewed,
  games: inTurn(loaded, act('games')),
  puzzles: act('puzzles'),
  console: act('console'),
  // The notice that the match is saved is still shown in the next state.
  match: inTurn(
    act('new'),
    (page) => page.beginMatch({ time: [300, 0] }),
    (page) => page.playMatch(2),
  ),
  puzzle: inTurn(act('puzzles'), (page) => page.locator('#panel-puzzles .solid').click(), untilMode),
  verdict: async (page) => {
    await STATES.puzzle(page);
    await page.evaluate(() => {
      const { scores } = outflank.modes.current.puzzle;
      outflank.press(Object.keys(scores).sort((a, b) => scores[a] - scores[b])[0]);
    });
    await untilStage('wrong')(page);
  },
  ending: inTurn(
    (page) => page.evaluate(async () => (await outflank.panels.get('puzzles')).nextEnding('hard')),
    untilMode,
  ),
  summary: async (page) => {
    await STATES.match(page);
    await page.evaluate(() => (outflank.modes.current.clock.left.X = 0.05));
    await page.shows('.match-sum strong');
  },
  openings: act('openings'),
  training: inTurn(
    (page) =>
      page.evaluate(() => outflank.modes.begin('trainer', { lines: [{ moves: 'f5d6c3d3c4' }], side: 'X' })),
    untilMode,
  ),
  learning: inTurn(reviewed, act('learn'), untilMode),
  refuted: async (page) => {
    await STATES.learning(page);
    await untilStage('ask')(page);
    await page.evaluate(() => outflank.press(outflank.study.node.children[0].move));
    await untilStage('wrong')(page);
  },
  editor: inTurn(act('edit'), untilMode),
  ...Object.fromEntries(
    'help ideas settings menu command play save'.split(' ').map((name) => [name, dialog(name)]),
  ),
  comment: inTurn(loaded, dialog('comment')),
  weaknesses: async (page) => {
    await reviewed(page);
    await page.evaluate(async () => {
      outflank.ownNames.add('Wilhelmina Przybyszewska');
      const panel = await outflank.panels.get('games');
      (await outflank.part('js/io/weaknesses.js')).showWeaknesses(panel);
    });
    await page.locator('dialog[open] table').first().waitFor();
  },
  similar: async (page) => {
    await loaded(page);
    // Another move than that of the saved game.
    await page.evaluate(() => {
      const { rules, study } = outflank;
      const node = study.tree.main[20];
      study.go(node);
      study.play(rules.moves(node.position).find((move) => move !== node.children[0].move));
    });
    await dialog('similar')(page);
  },
};
