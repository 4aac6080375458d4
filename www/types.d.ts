// Types that several modules of the page share. The page does not load this file: only the type checker uses it.

/** A side: Black or White. */
type Side = 'X' | 'O';

/** How certain a value is. The rules module computes `level`: the depth, or more for proofs. A value replaces those of a lower
 *  level. */
interface Proof {
  kind: 'heuristic' | 'selective' | 'book' | 'outcome' | 'exact';
  depth: number | null;
  level: number;
  confidence?: number;
  outcome?: 'W' | 'D' | 'L';
}

/** A move: its value in discs for the side to move, and the expected line. */
interface Row {
  move: string;
  value: number;
  proof: Proof;
  pv: string[];
}

/** The value of a position for Black. `web/src/rules/layout.rs` has the fields of these types. */
interface Point {
  value: number;
  level: number;
  kind: 'heuristic' | 'selective' | 'book' | 'outcome' | 'exact';
  exact: boolean;
  move: string | null;
  forced: boolean;
}

/** The cost of a move, in discs for its side. */
interface Loss {
  side: 'X' | 'O';
  loss: number;
  exact: boolean;
  error: number;
  atLeast: number | null;
  proven: number | null;
  changed: null | 'WD' | 'WL' | 'DL';
  best: string | null;
  mistake: boolean;
  grade: 'slight' | 'grave';
}

/** The sums of one side along a line. */
interface SideSums {
  loss: number;
  phases: [number, number, number];
  moves: number;
  known: number;
  exact: boolean;
  changed: { WD: number; WL: number; DL: number };
  accuracy: number | null;
}

/** Discs lost. */
interface LossSize {
  loss: number;
  exact: boolean;
  /** The proven part, if it is less. */
  proven?: number | null;
}

/** A mistake, with the node after it. */
type Mistake = Loss & { node: TreeNode };

type SideSummary = SideSums & { mistakes: Mistake[] };

/** Analysis of a node: its value, the loss of the move to it, and, for the line up to it, the sums and the lowest
 *  level. */
interface NodeAnalysis {
  point: Point | null;
  loss: Loss | null;
  sums: Record<Side, SideSums>;
  level: number | null;
}

/** Facts of a position. `legal` are square numbers, `margin` is the result for Black. */
interface Look {
  squares: string;
  side: Side;
  black: number;
  white: number;
  legal: number[];
  pass: boolean;
  over: boolean;
  margin: number;
  /** The last move, if it is marked, and the name of the opening. */
  last?: string | null;
  title?: string | null;
  /** Classes of squares. */
  marks?: Map<number, string[]>;
}

/** A game as it is read and written. The moves are one string, the result is in discs for Black. */
interface Game {
  start: string;
  moves: string;
  black?: string;
  white?: string;
  date?: string;
  place?: string;
  result?: number;
  /** Of Black and of White, on the scale of the place. */
  ratings?: (number | null)[];
  /** The reason for an early end. */
  ending?: 'resigned' | 'timed-out' | 'left' | 'agreed';
  /** The number of moves at the beginning that no player has chosen. */
  given?: number;
  scores?: unknown;
  /** Comments, each with the number of moves before it. */
  comments?: [number, string][];
  /** The tree as a link, if there are variations or comments. */
  tree?: string;
  added?: number;
  /** The first part of a variation that cannot be read, with its place. */
  cut?: string;
  notKept?: [kind: string, part: string][];
  /** The question of a link. */
  ask?: string;
  /** The file of the database that contains the game. */
  base?: string;
}

/** A move played in games, for the side to move: see `model/explorer.js`. */
interface MovePlayed {
  move: string;
  twins: string[];
  games: number;
  scored: number;
  share: number | null;
  score: number | null;
}

/** The games that reached a position, its moves, and some of the games. */
interface GamesFound<Row = GameListed> {
  games: number;
  scored: number;
  share: number | null;
  score: number | null;
  moves: MovePlayed[];
  list: Row[];
  book: BookValue[];
}

/** A move of an opening book: its value in discs for the side to move. */
interface BookValue {
  move: string;
  value: number;
}

/** A position of an opening book: its value in discs for the side to move, and the moves of the book from there on. */
type PositionBooked = [position: string, value: number, line: string];

/** Selects games by words of a player's and a tournament's name, the player's side, and years. `list` is the most games listed. */
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

/** A game with a similar position, in the orientation of the board: the move played there, the number of equal squares, and the result
 *  for its side to move. */
interface GameSimilar extends GameListed {
  position: string;
  move: string;
  same: number;
  score: number | null;
}

/** An error of a file or a record. `code` is the key of its translation. */
interface FileFault {
  code: string;
  record?: number;
  [arg: string]: unknown;
}

/** A loaded file of games, or a book. `unnamed` games have name numbers that its lists do not contain. */
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
  /** Positions, of a book. */
  positions?: number;
}

/** The result of adding a file: refused, equal to another one, names, or games, which are listed if there are few. */
interface FileTaken {
  name: string;
  fault?: FileFault;
  sameAs?: string;
  names?: number;
  missing?: number;
  games?: number;
  positions?: number;
  faulty?: number;
  faults?: FileFault[];
  list?: Game[];
}

/** The files of the database, and the one that is being loaded. `opened` is set when the stored files are known. */
interface LibraryState {
  files: FileLoaded[];
  loading: { name: string; done: number; of: number } | null;
  /** Number of positions in the book of the page. 0 if it is off. */
  booked: number;
  bytes: number;
  opened: boolean;
}

/** A game as it is stored on this device. `v` is the version of the format. */
interface GameRecord extends Game {
  v: number;
  added: number;
  /** The folder, or an empty text. */
  folder: string;
  tags: string[];
  /** The analysis of each side. */
  report?: Record<Side, Figures>;
}

/** The analysis of a side in a game: accuracy, worst move and its loss, discs lost by phase, and mistakes. */
type Figures = [
  accuracy: number | null,
  worst: string,
  loss: number,
  phases: [number, number, number],
  mistakes: StoredMistake[],
];

/** A mistake in a stored game: its number, the discs lost, and the kind of the most telling reason. Empty without a reason. */
type StoredMistake = [ply: number, loss: number, kind: string];

/** Games read from a text or from files. */
interface Imported {
  games: (Game & Partial<GameRecord>)[];
  skipped?: number;
  /** Number of skipped games whose moves before the error are among `games`. */
  cut?: number;
  /** Errors of skipped games, the first of them. */
  faults?: Error[];
  /** The fragment, if the text was a link to the page. */
  link?: string;
}

/** Pasted, dropped or chosen content: text, or files, optionally with text. */
interface Received {
  text: string;
  files: File[];
}

/** The identity of an engine. */
interface EngineInfo {
  name: string;
  version: string;
  weights: string;
  /** Number of search threads. 0 if lines and search take turns in the worker. */
  threads: number;
  /** Why there are no threads although they were requested and the browser shares memory. */
  lacks?: 'memory' | 'threads';
  /** Why the requested large network is not used. */
  missed?: string;
  /** The network is the coarse one, which a slow network loads first. */
  coarse?: boolean;
  /** Size of the table in MiB, and network: of the program only. */
  hash?: number;
  network?: Network;
}

/** The evaluation of the engine: the weights of the page, a larger file that is loaded once, or the first ones on a slow network. */
type Network = 'small' | 'large' | 'coarse';

type EngineState = 'off' | 'starting' | 'idle' | 'busy' | 'stopping' | 'manual' | 'crashed';

/** A line from the engine, to it, or a note about it. */
type Direction = 'in' | 'out' | 'note';

/** A job of the engine: the lines that ask it. A `go` ends with its move, other commands when the engine is waiting again.
 *  `onReport` receives the lines with the values of an iteration, if it has ended, `onDone` those after the last report. */
interface Job {
  lines: string[];
  onReport?(values: string[], count: { nodes: number; seconds: number }): void;
  onMove?(move: string): void;
  onDone?(values: string[]): void;
}

/** The results of the searches of a position, as lines of an engine: of moves, for the best move, and for the best move in an analysis of the
 *  game. */
interface SavedSearches {
  rows: string[];
  best: string | null;
  reviewed: string | null;
}

/** A node of a tree, as the module states it. */
interface NodeValue {
  node: number;
  /** `undefined` for the root. */
  parent?: number;
  move?: string;
  position: string;
  flips: number[];
  /** The other side had to pass. */
  passed: boolean;
  comment: string;
}

/** The position after a move and a forced pass. */
interface Played {
  position: string;
  flips: number[];
  passed: boolean;
}

/** Facts about a position, as lists of squares. */
interface Overlays {
  mobility: { own: number[]; theirs: number[] };
  frontier: number[];
  stable: number[];
  regions: number[][];
  threats: number[];
}

/** An error of the module: its code selects the sentence. */
interface Fault {
  code: string;
  message: string;
  [detail: string]: unknown;
}

/** The answer of the module to invalid input. */
interface Failed {
  error: Fault;
}

/** Games in a text, the number of those that were skipped, and the first errors. */
interface GamesRead {
  games: Game[];
  skipped: number;
  faults: Fault[];
}

/** A position to search for the study, and the lines that ask an engine. */
interface Task {
  id: number;
  position: string;
  lines: string[];
}

/** What the board of a line shows after so many moves: squares of the side that moved, and of the other side. */
interface Facts {
  plies: number;
  own: string[];
  other: string[];
}

/** Why a move is a mistake: differences of the best lines after it and after the better move. */
interface Explanation {
  reasons: { kind: string; played: Facts; better: Facts }[];
  played: string[];
  better: string[];
  fallsAt: number | null;
}

/** An action requested by the lifecycle of an engine. */
type LifeAction = [action: string, ...details: any[]];

/** The cursor moved, the tree changed, or another tree was opened. */
type Change = 'move' | 'tree' | 'load';

/** Texts by key. */
type Sentences = Record<string, string>;

/** A puzzle. `scores` are exact, by move, if they are known; `own` puzzles are the user's mistakes, or endings of the user's
 *  games. `told` is the text of the question of a link. */
interface Puzzle {
  told?: string;
  id: string;
  position: string;
  scores: Record<string, number> | null;
  own?: boolean;
}

/** A suite of puzzles, by its file in `data`. */
type Suite = 'puzzles' | 'endings';

/** The progress of a puzzle or a line. */
interface Progress {
  box: number;
  due: number;
  tries: number;
  right: number;
  last: number;
}

/** A trained line, with its names by language, if it has any. */
interface TrainerLine {
  moves: string;
  names: (Record<string, string> & { en: string }) | null;
}

/** Setup of the trainer: the side, and lines or moves played in games. */
interface TrainerSetup {
  side?: Side;
  /** The first line is named; the others continue it. */
  lines?: TrainerLine[];
  /** Moves after which the moves of games are followed. */
  games?: string;
  /** The line was shown. */
  shown?: boolean;
}

/** The state to draw: the position, its facts and the rows of its moves. With `hide`, values are hidden. */
interface Scene {
  position: string;
  look: Look;
  rows: Map<string, Row>;
  sorted: Row[];
  best: Row | null;
  /** The factor of values for the side to move: 1 or -1. */
  sign: number;
  hide: boolean;
}

/** A panel of a tab. `draw` is called when it is shown, `relabel` or else `draw` when the language has changed. */
interface Panel {
  draw(): void;
  relabel?(): void;
}

/** An entry of `panels/register.js`. The tab shows `title`, by language, or `sign`. `create` fills the empty `root`. */
interface PanelEntry {
  id: string;
  sign?: string;
  create(root: HTMLElement, app: App): Panel | Promise<Panel>;
}

/** An opponent: its average loss in discs per move, its search depth, and its temperature if moves are drawn
 *  (`model/opponents.js`). */
interface Opponent {
  id: string;
  loss: number;
  depth: number;
  temperature?: number;
}

/** Setup of a match. `colour` contains the sides that users play: one, both or none. `time` has seconds for the game and seconds
 *  added per move. */
interface MatchSetup {
  colour: Side | 'XO' | '';
  opponent: Opponent;
  time: [number, number] | null;
  hints: boolean;
  takeBack: boolean;
}

/** The aids used in a match. */
interface MatchAids {
  hints: number;
  takeBacks: number;
}

/** A saved match: running, replaced by another game, or ended by the user. `left` has the seconds of both sides, `node` is its
 *  current position, `first` the number of moves before the match. */
interface KeptMatch {
  state: 'on' | 'away' | 'ended';
  setup: MatchSetup;
  left: Record<Side, number> | null;
  used: MatchAids;
  first: number;
  tree: Tree;
  node: TreeNode;
}

/** A stage of an exercise. */
type Stage = 'show' | 'wait' | 'ask' | 'judging' | 'wrong' | 'right' | 'shown' | 'done';

/** A move of the book of the trainer, with the moves that are equal by symmetry; the first one is named. `lines` contain it. */
interface BookMove {
  moves: string[];
  weight: number;
  lines: TrainerLine[];
}

/** A row of a score sheet: up to two moves. */
interface Pair {
  number: number;
  last: TreeNode;
  X?: TreeNode;
  O?: TreeNode;
}

/** A point of the graph: the value for the side of the perspective, the cost of the move before it, and the total loss of each
 *  side. */
interface GraphPoint {
  value: number;
  exact: boolean;
  cost: Loss | null;
  sums: Record<Side, LossSize>;
}

/** The points of a line of the graph from the ply `from` on. A variation starts at the point where it leaves the game. */
interface GraphLine {
  from: number;
  points: (GraphPoint | null)[];
  variation: boolean;
}

/** The position in a diagram with its last move, and the caption: Black and White with their discs, the text between them, and the
 *  title. */
interface Diagram {
  squares: string;
  last: string | null;
  players: [DiagramPlayer, DiagramPlayer];
  told: string;
  title: string;
}

interface DiagramPlayer {
  name: string;
  count: number;
}

/** The height of the sheet of a phone. */
type SheetHeight = 'closed' | 'open' | 'tall';

/** The end of a match: the result in discs for Black, and the reason for an early end. */
interface MatchOutcome {
  result: number;
  ending?: 'resigned' | 'timed-out';
}

type Analysis = import('./js/engine/searches.js').Analysis;
type App = import('./js/shell/app.js').App;
type Board = import('./js/board/board.js').Board;
type ConsolePanel = import('./js/panels/console.js').ConsolePanel;
type Program = import('./js/engine/program.js').Program;
type Engine = import('./js/engine/engine.js').Engine;
type Explorer = import('./js/model/explorer.js').Explorer;
type GamesPanel = import('./js/panels/games.js').GamesPanel;
type Match = import('./js/modes/match.js').Match;
type Mode = import('./js/modes/mode.js').Mode;
type Notices = import('./js/base/notices.js').Notices;
type OpeningsPanel = import('./js/panels/openings.js').OpeningsPanel;
type Openings = import('./js/model/openings.js').Openings;
type PuzzleMode = import('./js/modes/puzzle.js').PuzzleMode;
type PuzzlesPanel = import('./js/panels/puzzles.js').PuzzlesPanel;
type ReportPanel = import('./js/panels/report.js').ReportPanel;
type Rules = import('./js/model/rules.js').Rules;
type OwnNames = import('./js/model/own-names.js').OwnNames;
type SavedGames = import('./js/model/saved-games.js').SavedGames;
type Settings = import('./js/io/settings.js').Settings;
type Signal<Details extends any[]> = import('./js/base/signal.js').Signal<Details>;
type Store = import('./js/io/store.js').Store;
type Study = import('./js/model/study.js').Study;
type Tree = import('./js/model/tree.js').Tree;
type TreeNode = import('./js/model/tree.js').TreeNode;
type Values = import('./js/model/values.js').Values;
type Translations = import('./js/base/translations.js').Translations;

/** The modules that `base/load.js` loads, by path. */
interface Parts {
  'js/base/swipe.js': typeof import('./js/base/swipe.js');
  // Built from Rust.
  'engine/build.js': any;
  'engine/rules.js': typeof import('./rules-module');
  'js/io/clipboard.js': typeof import('./js/io/clipboard.js');
  'js/io/game-dialogs.js': typeof import('./js/io/game-dialogs.js');
  'js/io/import.js': typeof import('./js/io/import.js');
  'js/io/launched.js': typeof import('./js/io/launched.js');
  'js/io/print.js': typeof import('./js/io/print.js');
  'js/io/similar.js': typeof import('./js/io/similar.js');
  'js/io/save.js': typeof import('./js/io/save.js');
  'js/io/weaknesses.js': typeof import('./js/io/weaknesses.js');
  'js/io/load.js': typeof import('./js/io/load.js');
  'js/model/explorer.js': typeof import('./js/model/explorer.js');
  'js/model/opening-lines.js': typeof import('./js/model/opening-lines.js');
  'js/modes/ending.js': typeof import('./js/modes/ending.js');
  'js/modes/editor.js': typeof import('./js/modes/editor.js');
  'js/modes/line.js': typeof import('./js/modes/line.js');
  'js/modes/learn.js': typeof import('./js/modes/learn.js');
  'js/modes/match-start.js': typeof import('./js/modes/match-start.js');
  'js/modes/match-summary.js': typeof import('./js/modes/match-summary.js');
  'js/modes/puzzle.js': typeof import('./js/modes/puzzle.js');
  'js/modes/review.js': typeof import('./js/modes/review.js');
  'js/modes/trainer.js': typeof import('./js/modes/trainer.js');
  'js/panels/console.js': typeof import('./js/panels/console.js');
  'js/panels/games.js': typeof import('./js/panels/games.js');
  'js/panels/ideas.js': typeof import('./js/panels/ideas.js');
  'js/panels/graph.js': typeof import('./js/panels/graph.js');
  'js/panels/openings.js': typeof import('./js/panels/openings.js');
  'js/panels/next-step.js': typeof import('./js/panels/next-step.js');
  'js/panels/opening-boards.js': typeof import('./js/panels/opening-boards.js');
  'js/panels/preview.js': typeof import('./js/panels/preview.js');
  'js/panels/puzzles.js': typeof import('./js/panels/puzzles.js');
  'js/panels/report.js': typeof import('./js/panels/report.js');
  'js/panels/hidden-values.js': typeof import('./js/panels/hidden-values.js');
  'js/shell/actions.js': typeof import('./js/shell/actions.js');
  'js/shell/dialogs.js': typeof import('./js/shell/dialogs.js');
  'js/shell/update.js': typeof import('./js/shell/update.js');
}

interface Window {
  /** The parts of the page, for tests. */
  outflank: App;
  /** Files opened with the installed page, if the browser supports it. */
  launchQueue?: { setConsumer(take: (opened: { files: { getFile(): Promise<File> }[] }) => void): void };
}
