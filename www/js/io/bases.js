// Dropped or chosen files of the WTHOR database, and opening books: they are added to the openings explorer. The games of a small
// file are also added to the saved games.

import { CodedError } from '../base/coded-error.js';
import { errorText } from './import.js';

/** @param {File} file */
const isBase = ({ name }) => /\.(wtb|jou|trn)$/i.test(name);

/** First bytes of books of Edax and Egaroucid, and of packed and stored books. */
const BOOK = /^(XADEKOOB|DICUORAGE|OUTFLBK|redb)/;
/** A line of a book in text form: moves or a position, and a value with a sign; or the first line of an exported book. */
const BOOK_LINE =
  /^%.* (own values for|worth themselves to) the side to move$|^\s*(([a-h][1-8]\s?)+|[-xo*]{64} [xo*];)\s*[+-]\d+(\.\d+)?;?\s*$/im;
const EXAMINED_BYTES = 65_536;

/** Returns `true` for an opening book. @param {File} file */
async function isBook(file) {
  const start = await file
    .slice(0, EXAMINED_BYTES)
    .text()
    .catch(() => '');
  return BOOK.test(start) || BOOK_LINE.test(start);
}

/** Returns the files that belong to the openings explorer. @param {File[]} files */
export async function basesOf(files) {
  const fits = await Promise.all(files.map((file) => isBase(file) || isBook(file)));
  return files.filter((_, i) => fits[i]);
}

/** Files of this size take noticeable time to load. */
const SLOW_BYTES = 1_000_000;

/** Adds files and reports the result. Returns the games of small files.
 * @param {Pick<App, 'explorer' | 'notices' | 'panels' | 't' | 'words'>} app @param {File[]} files @returns {Promise<Game[]>} */
export async function takeBases(app, files) {
  const explorer = await app.explorer();
  const { notices, t, words } = app;
  // The panel shows the progress.
  if (files.reduce((bytes, { size }) => bytes + size, 0) > SLOW_BYTES) app.panels.show('openings', true);
  const taken = await explorer.add(files);
  const told = [];
  const refused = [];
  /** @type {Game[]} */
  const list = [];
  let names = 0;
  for (const file of taken) {
    const { name, fault, sameAs, faulty = 0 } = file;
    if (fault) {
      const why = errorText(new CodedError(fault), words);
      refused.push(why.includes(name) ? why : `${name}: ${why}`);
    } else if (sameAs !== undefined) told.push(t('openings.same', { name, other: sameAs }));
    else if (file.games !== undefined || file.positions !== undefined) {
      const { games, positions } = file;
      const [what, n] =
        positions === undefined ? ['openings.taken', games] : ['openings.positions', positions];
      told.push(`${name}: ${t(what, { n })}`);
      // A record with an invalid score is added nevertheless. The panel lists the errors.
      if (faulty > 0 || (file.faults?.length ?? 0) > 0) told.push(t('openings.seeFaults'));
      list.push(...(file.list ?? []));
    } else {
      names += file.names ?? 0;
      if (file.missing) refused.push(`${name}: ${t('openings.missing', { n: file.missing })}`);
    }
  }
  if (told.length === 0 && names > 0) told.push(t('openings.names', { n: names }));
  if (told.length > 0) notices.show(told.join('; '), { key: 'files' });
  if (refused.length > 0) notices.show(refused.join('; '), { kind: 'fault', key: 'refused' });
  if (list.length === 0 && taken.some(({ games = 0, positions = 0 }) => games + positions > 0))
    app.panels.show('openings', true);
  return list;
}
