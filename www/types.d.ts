// The shapes that several modules of the page share, for the type checker alone: the page does not load this file.

/** A side: Black or White. */
type Side = 'X' | 'O';

/** How far a value is proven; `level` is its height on the ladder of `engine/proof.js`. */
interface Proof {
  kind: 'none' | 'heuristic' | 'selective' | 'book' | 'outcome' | 'exact';
  depth: number | null;
  level: number;
  confidence?: number;
  outcome?: 'W' | 'D' | 'L';
}

/** What the engine says of a move: the value in discs for the side to move, and the line it expects. */
interface Row {
  move: string;
  value: number;
  proof: Proof;
  pv: string[];
}

/** The value of a position as one side sees it: the side to move in `engine/`, Black everywhere else. */
interface Point {
  value: number;
  level: number;
  exact: boolean;
  kind: Proof['kind'];
  /** The best move, where there is one. */
  move: string | null;
  /** There was no choice. */
  forced?: boolean;
}

/** What is known of a position or a move, for Black, with the line that is expected. */
interface Known {
  value: number;
  proof: Proof;
  pv: string[];
}

/** The points of nodes. */
interface Points {
  get(node: TreeNode): Point | null | undefined;
  /** Values that the analysis of a whole game found, all searched alike. */
  reviewed?: Points;
}

/** Discs lost. */
interface LossSize {
  loss: number;
  exact: boolean;
  /** The part of it that is proven, if that is less. */
  proven?: number | null;
}

/** What a move cost, in discs for its side. */
interface Loss extends LossSize {
  side: Side;
  error: number;
  /** What stays of the loss after both errors, null where nothing does. */
  atLeast: number | null;
  /** How the outcome changed: win to draw, win to loss, draw to loss. */
  changed: string | null;
  /** The best move by the values that were compared. */
  best: string | null;
  mistake: boolean;
  grade: 'grave' | 'slight';
}

/** A mistake, with the node that it leads to. */
type Mistake = Loss & { node: TreeNode };

/** What one side of a game lost. */
interface SideSummary {
  total: number;
  /** By third of the game. */
  phases: number[];
  /** Outcomes that were changed, by kind. */
  changed: Record<string, number>;
  moves: number;
  known: number;
  exact: boolean;
  mistakes: Mistake[];
}

/** A position as the rules see it; `legal` are square numbers, `margin` counts for Black. */
interface Look {
  squares: string;
  side: Side;
  black: number;
  white: number;
  legal: number[];
  pass: boolean;
  over: boolean;
  margin: number;
  /** The move that led there, where it is to be marked, and the name of the opening. */
  last?: string | null;
  title?: string | null;
  /** Classes of squares. */
  marks?: Map<number, string[]>;
}

/** A game as it is read and written: the moves as one string, the result in discs for Black. */
interface Game {
  start: string;
  moves: string;
  black?: string;
  white?: string;
  date?: string;
  place?: string;
  result?: number;
  /** What ended it before its end. */
  ending?: 'resigned' | 'timed-out' | 'left' | 'agreed';
  scores?: unknown;
  /** Comments, each with the number of discs placed before it. */
  comments?: [number, string][];
  /** The whole tree as a link, where there is more than one line or a comment. */
  tree?: string;
  added?: number;
  /** The file in the database that it came from. */
  base?: string;
}

/** A move as it was played in games, for the side to move: see `model/explorer.js`. */
interface MovePlayed {
  move: string;
  twins: string[];
  games: number;
  scored: number;
  share: number | null;
  score: number | null;
}

/** What is known of a position: all games that reached it, its moves, and some of the games. */
interface GamesFound {
  games: number;
  scored: number;
  share: number | null;
  score: number | null;
  moves: MovePlayed[];
  list: GameListed[];
}

/** Which games count: words of a player's and a tournament's name, the player's side, years; `list` so many are told. */
interface GamesWanted {
  player?: string;
  tournament?: string;
  side?: Side | null;
  from?: number | null;
  to?: number | null;
  list?: number;
}

/** A game that reached a position, after `ply` of its `length` moves. */
interface GameListed {
  source: number;
  index: number;
  game: number;
  number: number;
  ply: number;
  length: number;
  black?: string;
  white?: string;
  place?: string;
  date?: string;
  result?: number;
}

/** What is wrong with a file or a record of it; `code` names the sentence. */
interface FileFault {
  code: string;
  record?: number;
  [arg: string]: unknown;
}

/** A file of games that is loaded. `unnamed` games have numbers of names that its lists do not hold. */
interface FileLoaded {
  key: string;
  name: string;
  games: number;
  records: number;
  year: number | null;
  faulty: number;
  faults: FileFault[];
  unnamed: number;
  kept: boolean;
  named: boolean;
}

/** What became of a file: refused, the same as another one, names, or games, which are told where they are few. */
interface FileTaken {
  name: string;
  fault?: FileFault;
  sameAs?: string;
  names?: number;
  missing?: number;
  games?: number;
  faulty?: number;
  faults?: FileFault[];
  list?: Game[];
}

/** The files of the database, and the one that is being loaded; `opened` when it is known which ones are kept. */
interface LibraryState {
  files: FileLoaded[];
  loading: { name: string; done: number; of: number } | null;
  bytes: number;
  opened: boolean;
}

/** A game as it is kept on the device; `v` is the version of its form. */
interface GameRecord extends Game {
  v: number;
  added: number;
  /** The folder it is in, none where this is empty. */
  folder: string;
  tags: string[];
}

/** What was read from a text or from files. */
interface Imported {
  games: (Game & Partial<GameRecord>)[];
  skipped?: number;
  /** What was wrong with what was skipped, as far as it is told one by one. */
  faults?: Error[];
  /** The fragment, where it was one of our links. */
  link?: string;
}

/** What came by a paste, a drop or the file picker: text, or files, which may come with text. */
interface Received {
  text: string;
  files: File[];
}

/** What an engine says of itself. */
interface EngineInfo {
  name: string;
  version: string;
  weights: string;
  /** On how many threads of its own it searches; none where lines and search take turns in its worker. */
  threads: number;
  /** Why there are none, where some were wanted and the browser could have shared memory. */
  lacks?: 'memory' | 'threads';
  /** Why it has not the large network, where that was wanted. */
  missed?: string;
}

/** What the engine evaluates with: the weights that come with the page, or a file of more that is loaded once. */
type Network = 'small' | 'large';

type EngineState = 'off' | 'starting' | 'idle' | 'busy' | 'stopping' | 'manual' | 'crashed';

/** A line from the engine, to it, or a note about it. */
type Direction = 'in' | 'out' | 'note';

/** A line of the engine as `engine/nboard.js` reads it. */
type Said =
  | ({ type: 'value' } & Row)
  | { type: 'nodes'; nodes: number; seconds: number }
  | { type: 'status'; text: string }
  | { type: 'pong'; number: number | null }
  | { type: 'move'; move: string; value: number | null; seconds: number | null }
  | { type: 'analysis'; ply: number | null; value: number | null }
  | { type: 'name'; name: string }
  | { type: 'error'; text: string }
  | { type: 'other' };

/**
 * What the engine is to do: `command` on `position` to `depth` plies. `setup` replaces the line that sets the
 * position. A `go` ends with its move, other commands when the engine waits again.
 */
interface Job {
  position: string;
  depth: number;
  command: string;
  setup?: string;
  onValue?(said: Row): void;
  onNodes?(said: { nodes: number; seconds: number }): void;
  onMove?(said: { move: string }): void;
  onDone?(): void;
}

/** What the life of an engine asks for: the name of the action and its details. */
type LifeAction = [action: string, ...details: any[]];

/** The cursor moved, the tree changed, or another tree lies on the table. */
type Change = 'move' | 'tree' | 'load';

/** Sentences by their names. */
type Sentences = Record<string, string>;
/** The words of a part of the page, by language. */
type PartWords = Record<string, Sentences>;

/** A puzzle: `scores` are exact, by move, where they are known; `own` puzzles are the person's mistakes. */
interface Puzzle {
  id: string;
  position: string;
  scores: Record<string, number> | null;
  own?: boolean;
}

/** How a puzzle was answered so far. */
interface Progress {
  box: number;
  due: number;
  tries: number;
  right: number;
  last: number;
}

/** A line that is trained, with its names by language where it has some. */
interface TrainerLine {
  moves: string;
  names: (Record<string, string> & { en: string }) | null;
}

/** What is trained, from which side: lines, what games on the device went on with after some moves, or what is due. */
interface TrainerSetup {
  side?: Side;
  /** The first one is named; the others go on from it. */
  lines?: TrainerLine[];
  /** Moves after which the games of the explorer are followed. */
  games?: string;
  due?: boolean;
}

/** What is drawn: the position with its look and what is known of its moves; `hide` where values are not to be seen. */
interface Scene {
  position: string;
  look: Look;
  rows: Map<string, Row>;
  sorted: Row[];
  best: Row | null;
  hide: boolean;
}

/** A panel behind a tab: `draw` brings it up to date when it is shown, `relabel` when the language has changed. */
interface Panel {
  draw(): void;
  relabel(): void;
}

/** A line of `panels/register.js`: `title` is the tab's, by language, or `sign` where that says enough; `create` fills
 *  the empty `root`. */
interface PanelEntry {
  id: string;
  sign?: string;
  title: Record<string, string>;
  create(root: HTMLElement, app: App): Panel | Promise<Panel>;
}

/**
 * A line of `modes/register.js`: `create` makes the mode of what `setup` holds, or nothing where the person thought
 * better of it. `words` names the file of its words where they are shared.
 */
interface ModeEntry {
  id: string;
  words?: string;
  create(app: App, setup?: any): Promise<Mode | null>;
}

/**
 * An opponent: it loses so many discs a move, looks `depth` plies ahead, and has a temperature where dice choose its moves
 * (`model/opponents.js`).
 */
interface Opponent {
  id: string;
  loss: number;
  depth: number;
  temperature?: number;
}

/** A match: `time` has seconds for the game and seconds added a move; `hints` and `takeBack` are allowed or not. */
interface MatchSetup {
  colour: Side;
  opponent: Opponent;
  time: [number, number] | null;
  hints: boolean;
  takeBack: boolean;
}

/** What was used in a match. */
interface MatchAids {
  hints: number;
  takeBacks: number;
}

/**
 * A match as it is kept on the device. It is under way, or something else was put on the table, or the person has ended
 * it; `left` has the seconds of both sides, `node` is where it stands.
 */
interface KeptMatch {
  state: 'on' | 'away' | 'ended';
  setup: MatchSetup;
  left: Record<Side, number> | null;
  used: MatchAids;
  tree: Tree;
  node: TreeNode;
}

/** How a match ended: the result in discs for Black, and what ended it where it was not played to its end. */
interface MatchOutcome {
  result: number;
  ending?: 'resigned' | 'timed-out';
}

type Analysis = import('./js/engine/queue.js').Analysis;
type App = import('./js/shell/app.js').App;
type Board = import('./js/board/board.js').Board;
type ConsolePanel = import('./js/panels/console.js').ConsolePanel;
type Engine = import('./js/engine/engine.js').Engine;
type Evaluation = import('./js/engine/evaluation.js').Evaluation;
type Evaluations = import('./js/engine/evaluations.js').Evaluations;
type Explorer = import('./js/model/explorer.js').Explorer;
type GamesPanel = import('./js/panels/games.js').GamesPanel;
type Mode = import('./js/modes/mode.js').Mode;
type Notices = import('./js/base/notices.js').Notices;
type Openings = import('./js/model/openings.js').Openings;
type Preview = import('./js/panels/preview.js').Preview;
type PuzzleMode = import('./js/modes/puzzle.js').PuzzleMode;
type PuzzlesPanel = import('./js/panels/puzzles.js').PuzzlesPanel;
type ReportPanel = import('./js/panels/report.js').ReportPanel;
type Rules = import('./js/model/rules.js').Rules;
type Settings = import('./js/io/settings.js').Settings;
type Signal<Details extends any[]> = import('./js/base/signal.js').Signal<Details>;
type Store = import('./js/io/store.js').Store;
type Study = import('./js/model/study.js').Study;
type Tree = import('./js/model/tree.js').Tree;
type TreeNode = import('./js/model/tree.js').TreeNode;
type Translations = import('./js/base/translations.js').Translations;

/** The modules that `base/load.js` loads when they are first needed, by their paths. */
interface Parts {
  // Built from Rust, next to the page.
  'engine/build.js': any;
  'engine/rules.js': any;
  'js/io/clipboard.js': typeof import('./js/io/clipboard.js');
  'js/io/game-dialogs.js': typeof import('./js/io/game-dialogs.js');
  'js/io/import.js': typeof import('./js/io/import.js');
  'js/io/launched.js': typeof import('./js/io/launched.js');
  'js/io/print.js': typeof import('./js/io/print.js');
  'js/io/save.js': typeof import('./js/io/save.js');
  'js/io/load.js': typeof import('./js/io/load.js');
  'js/model/explorer.js': typeof import('./js/model/explorer.js');
  'js/model/link.js': typeof import('./js/model/link.js');
  'js/modes/editor.js': typeof import('./js/modes/editor.js');
  'js/modes/learn.js': typeof import('./js/modes/learn.js');
  'js/modes/match-start.js': typeof import('./js/modes/match-start.js');
  'js/modes/match-summary.js': typeof import('./js/modes/match-summary.js');
  'js/modes/puzzle.js': typeof import('./js/modes/puzzle.js');
  'js/modes/register.js': typeof import('./js/modes/register.js');
  'js/modes/trainer.js': typeof import('./js/modes/trainer.js');
  'js/panels/console.js': typeof import('./js/panels/console.js');
  'js/panels/games.js': typeof import('./js/panels/games.js');
  'js/panels/graph.js': typeof import('./js/panels/graph.js');
  'js/panels/openings.js': typeof import('./js/panels/openings.js');
  'js/panels/preview.js': typeof import('./js/panels/preview.js');
  'js/panels/puzzles.js': typeof import('./js/panels/puzzles.js');
  'js/panels/report.js': typeof import('./js/panels/report.js');
  'js/panels/hidden-values.js': typeof import('./js/panels/hidden-values.js');
  'js/panels/sheet.js': typeof import('./js/panels/sheet.js');
  'js/shell/actions.js': typeof import('./js/shell/actions.js');
  'js/shell/dialogs.js': typeof import('./js/shell/dialogs.js');
  'js/shell/samples.js': typeof import('./js/shell/samples.js');
  'js/shell/swipe.js': typeof import('./js/shell/swipe.js');
  'js/shell/update.js': typeof import('./js/shell/update.js');
}

interface Window {
  /** The page's parts, for tests and the curious. */
  outflank: App;
  /** What the installed page was opened with, where browsers have it. */
  launchQueue?: { setConsumer(take: (opened: { files: { getFile(): Promise<File> }[] }) => void): void };
}
