// The user's marks: circles and arrows in four colors. They are in the comment of their node, as other programs write them:
// `good [%csl Gf5][%cal Rf5d6]`. Here a mark is a color (`G`, `R`, `B`, `Y`) with one or two squares.

const COMMAND = /\s*\[%(\w+) ([^\]]*)\]/g;
const MARK = /^[GRBY]([a-h][1-8]){1,2}$/;
const NAMES = ['csl', 'cal'];
/** Most marks that are drawn. */
const MAX_MARKS = 64;

/** The text and the marks of a comment, and its other commands. @param {string} comment */
export function readMarks(comment) {
  const found = [...comment.matchAll(COMMAND)];
  const lists = found.filter(([, name]) => NAMES.includes(name)).flatMap(([, , list]) => list.split(','));
  const marks = [...new Set(lists.map((mark) => mark.trim()).filter((mark) => MARK.test(mark)))].slice(
    0,
    MAX_MARKS,
  );
  const others = found.filter(([, name]) => !NAMES.includes(name)).map(([command]) => command.trim());
  return { text: comment.replace(COMMAND, '').trim(), marks, others };
}

/** The judgement in a comment: `!!`, `!`, `!?`, `?!`, `?`, `??`, or nothing. @param {string} comment */
export const signOf = (comment) => /\[%sign ([!?]{1,2})\]/.exec(comment)?.[1] ?? '';

/** Replaces the text or the marks of a comment. @param {string} comment @param {{ text?: string, marks?: string[] }} changes */
export function writeMarks(comment, changes) {
  const { text, marks, others } = { ...readMarks(comment), ...changes };
  const commands = NAMES.flatMap((name, i) => {
    const list = marks.filter((mark) => mark.length === 3 + 2 * i);
    return list.length > 0 ? `[%${name} ${list.join(',')}]` : [];
  });
  return [text, [...commands, ...others].join('')].filter(Boolean).join(' ');
}

/** Adds a mark, or removes it if it is there. In another color, it replaces the mark. @param {string[]} marks @param {string} mark */
export const toggleMark = (marks, mark) => [
  ...marks.filter((other) => other.slice(1) !== mark.slice(1)),
  ...(marks.includes(mark) ? [] : [mark]),
];
