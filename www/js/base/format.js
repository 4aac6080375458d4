// How a value and its proof are written.

/** A loss that is not written as one. */
const NO_LOSS = 0.05;
const MINUS = '\u2212';
let point = '.';

/** Languages that write a comma. (`Intl` knows as well, but takes its time at the start.) */
const COMMA = ['fr'];

/** Values are written with the decimal sign of `language` from now on. */
export function writeAs(language) {
  point = COMMA.includes(language) ? ',' : '.';
}

/** Digits with the language's decimal sign for their point. */
export const withPoint = (digits) => digits.replace('.', point);

/** Discs without a sign, rounded half up, so that a value looks the same to both sides. */
function digitsOf(discs, exact) {
  const rounded = exact ? Math.round(discs) : Math.round(discs * 10) / 10;
  return withPoint(rounded.toFixed(exact ? 0 : 1));
}

/** Discs with a sign: whole where exact, one decimal otherwise. `0` bears no sign. */
export function disc(value, exact = false) {
  const digits = digitsOf(Math.abs(value), exact);
  return /[1-9]/.test(digits) ? (value < 0 ? MINUS : '+') + digits : digits;
}

/** The size of a loss: whole where it is exact, `≈ 1.5` otherwise, with the proven bound where `t` has room for it.
 *  @param {LossSize} cost @param {Translations['t'] | null} t */
export function lossSize({ loss, exact, proven = null }, t = null) {
  if (loss < NO_LOSS && proven === null) return '0';
  if (exact) return digitsOf(loss, true);
  const size = `≈\u202f${digitsOf(Math.max(loss, proven ?? 0), false)}`;
  return t && proven !== null ? t('loss.proven', { loss: size, least: proven }) : size;
}

/** The class of a loss to the best move: the colours of the board, the table and the report. */
export function lossClass(loss) {
  if (loss < NO_LOSS) return 'l0';
  if (loss <= 2) return 'l1';
  return loss <= 6 ? 'l2' : 'l3';
}

/** The corner mark of a proof. */
export function mark(proof) {
  switch (proof?.kind) {
    case 'exact':
      return '✓';
    case 'outcome':
      return proof.outcome;
    case 'selective':
      return `${proof.confidence}%`;
    case 'book':
      return 'bk';
    default:
      return '';
  }
}

/** The mark that every row bears, where it proves nothing of any of them: said once it is enough. @param {Row[]} rows */
export function commonMark(rows) {
  const [first] = rows;
  if (!first || first.proof.kind === 'exact' || first.proof.kind === 'outcome') return '';
  const sign = mark(first.proof);
  return rows.every((row) => mark(row.proof) === sign) ? sign : '';
}

/** The proof in a column: `22 · 84%`, `✓`, `W`. */
export function proofText(proof) {
  if (!proof) return '';
  const sign = mark(proof);
  if (proof.kind === 'exact' || proof.kind === 'outcome') return sign;
  return [proof.depth, sign].filter((part) => part !== null && part !== '').join(' · ');
}

/** The value as spoken, with the digits that are seen: "plus 4", "minus 2.5". */
export function spoken(value, exact, words) {
  const written = disc(value, exact);
  const digits = written.replace(/^[+\u2212]/, '');
  if (!/[1-9]/.test(digits)) return words.t('say.even', { v: digits });
  return words.t(written.startsWith('+') ? 'say.plus' : 'say.minus', { v: digits });
}

/** Seconds as `0:12` or `1:02:03`. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n) => String(n).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes}:${two(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}
