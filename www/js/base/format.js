// The text of values and proofs.

/** Smaller losses are written as 0. */
const NO_LOSS = 0.05;
const MINUS = '\u2212';
let point = '.';

/** Languages with a decimal comma. `Intl` would be slow at the start. */
const COMMA = ['fr'];

/** Sets the decimal sign of `language`. */
export function writeAs(language) {
  point = COMMA.includes(language) ? ',' : '.';
}

/** Replaces the decimal point by the sign of the language. */
export const withPoint = (digits) => digits.replace('.', point);

/** Discs without a sign, rounded half up, so that a value is the same for both sides. */
function digitsOf(discs, exact) {
  const rounded = exact ? Math.round(discs) : Math.round(discs * 10) / 10;
  return withPoint(rounded.toFixed(exact ? 0 : 1));
}

/** Discs with a sign: whole if exact, otherwise with one decimal. 0 has no sign. */
export function disc(value, exact = false) {
  const digits = digitsOf(Math.abs(value), exact);
  return /[1-9]/.test(digits) ? (value < 0 ? MINUS : '+') + digits : digits;
}

/** The size of a loss: whole if exact, otherwise `≈ 1.5`. With `t`, a proven bound is added.
 *  @param {LossSize} cost @param {Translations['t'] | null} t */
export function lossSize({ loss, exact, proven = null }, t = null) {
  if (loss < NO_LOSS && proven === null) return '0';
  if (exact) return digitsOf(loss, true);
  const size = `≈\u202f${digitsOf(Math.max(loss, proven ?? 0), false)}`;
  return t && proven !== null ? t('loss.proven', { loss: size, least: proven }) : size;
}

/** The CSS class of a loss: the colors of the board, the lines and the report. */
export function lossClass(loss) {
  if (loss < NO_LOSS) return 'l0';
  if (loss <= 2) return 'l1';
  return loss <= 6 ? 'l2' : 'l3';
}

/** @param {Pick<Proof, 'kind'> | undefined} proof */
export const isExact = (proof) => proof?.kind === 'exact';

/** Returns `true` if at least the outcome is proven. @param {Pick<Proof, 'kind'> | undefined} proof */
export const isProven = (proof) => isExact(proof) || proof?.kind === 'outcome';

/** The corner mark of a proof. With a `sign` of -1, an outcome is that of the other side. */
export function mark(proof, sign = 1) {
  const { kind, outcome, confidence } = Object(proof);
  const won = (sign < 0 && { W: 'L', L: 'W' }[outcome]) || outcome;
  return { exact: '✓', outcome: won, selective: `${confidence}%`, book: 'bk' }[kind] ?? '';
}

/** The mark that all rows share, unless it proves a result: it is shown once. @param {Row[]} rows */
export function commonMark(rows) {
  const [first] = rows;
  if (!first || first.proof.kind === 'exact' || first.proof.kind === 'outcome') return '';
  const sign = mark(first.proof);
  return rows.every((row) => mark(row.proof) === sign) ? sign : '';
}

/** The proof in a column: `22 · 84%`, `✓`, `W`. */
export function proofText(proof, sign = 1) {
  if (!proof) return '';
  const written = mark(proof, sign);
  if (proof.kind === 'exact' || proof.kind === 'outcome') return written;
  return [proof.depth, written].filter((part) => part !== null && part !== '').join(' · ');
}

/** The spoken value, with the digits that are shown: "plus 4", "minus 2.5". */
export function spoken(value, exact, words) {
  const written = disc(value, exact);
  const digits = written.replace(/^[+\u2212]/, '');
  if (!/[1-9]/.test(digits)) return words.t('say.even', { v: digits });
  return words.t(written.startsWith('+') ? 'say.plus' : 'say.minus', { v: digits });
}

/** A date such as `2024-05-06T07:08` or `2024.5.6` in words of the language. Other texts stay as they are.
 *  @param {string | undefined} date @param {string} language */
export function dateText(date, language) {
  const [found, year, month, day] = /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?!\d)/.exec(date ?? '') ?? [];
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (!found || new Date(time).getUTCDate() !== Number(day)) return date;
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(time);
}

/** Seconds as `0:12` or `1:02:03`. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}
