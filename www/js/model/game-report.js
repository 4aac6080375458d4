// The report of an analyzed game as it is saved with the game: `game-record.js` reads it.

const rounded = (/** @type {number} */ discs) => Math.round(100 * discs) / 100;

/** Returns the change that adds the report of a tree to its saved game. A game with other moves is not changed.
 *  @param {Tree} tree @param {Values} values @returns {(record: GameRecord) => Partial<GameRecord>} */
export function reportChange({ main }, values) {
  const summary = values.summary(main);
  /** @param {SideSummary} sum @returns {Figures} */
  const figures = ({ accuracy, mistakes, phases }) => {
    const [worst] = mistakes.toSorted((a, b) => b.loss - a.loss);
    /** @returns {StoredMistake} */
    const stored = ({ node, loss }) => [node.ply, rounded(loss), values.why(node)?.reasons[0]?.kind ?? ''];
    const [name, loss] = worst ? [`${worst.node.ply}. ${worst.node.move}`, worst.loss] : ['', 0];
    const [first, second, third] = phases.map(rounded);
    return [accuracy, name, loss, [first, second, third], mistakes.map(stored)];
  };
  const report = { X: figures(summary.X), O: figures(summary.O) };
  const moves = main.at(-1)?.moves.join('');
  return (record) => (record.moves === moves ? { report } : {});
}
