// Puts on the table what was pasted, dropped, chosen or typed, or says what is wrong with it.

import { readLink } from '../model/link.js';
import { RulesError } from '../model/rules.js';
import { isBase, takeBases } from './bases.js';
import { readFiles, readText } from './import.js';

/** False where the text is no good. @param {App} app @param {string} text */
export function takeText(app, text) {
  try {
    put(app, readText(app.rules, text));
    return true;
  } catch (error) {
    return refuse(app, error, text);
  }
}

/** @param {App} app @param {Received} received */
export async function takeReceived(app, { text, files }) {
  try {
    const bases = files.filter(isBase);
    const games = bases.length > 0 ? await takeBases(app, bases) : [];
    if (games.length > 0) put(app, { games });
    const others = files.filter((file) => !isBase(file));
    if (others.length > 0) put(app, await readFiles(app.rules, others));
    else if (files.length === 0) put(app, readText(app.rules, text));
  } catch (error) {
    refuse(app, error, text);
  }
}

/** The fragment of a link; where it is faulty, a notice and the board as it was.
 *  @param {App} app @param {string} fragment */
export function takeLink(app, fragment) {
  try {
    const coded = /%[5-7][0-9a-f]/i.test(fragment) && !fragment.includes('~');
    const { tree, node } = readLink(app.rules, coded ? decodeURIComponent(fragment) : fragment);
    app.table.loadTree(tree, node);
  } catch (error) {
    app.fail(error);
  }
}

/** Says what is wrong, or asks what the text leaves open; true where it may come to something yet.
 *  @param {App} app @param {any} error @param {string} text */
function refuse(app, error, text) {
  const open = error.code === 'no-side' && text !== '';
  if (open) app.dialog('askSide', text);
  else app.fail(error);
  return open;
}

/** @param {App} app @param {Imported} read */
function put(app, { games, link, skipped = 0, names }) {
  const { notices, panels, table, words } = app;
  const { t } = words;
  if (link) {
    takeLink(app, link);
    return;
  }
  if (games.length === 0 && names) {
    notices.show(t('games.names'), { key: 'games' });
    return;
  }
  if (games.length === 0) throw new RulesError({ code: 'empty' });
  table.load(games[0]);
  panels.get('games').then(
    (panel) => /** @type {GamesPanel} */ (panel).add(games),
    () => {},
  );
  if (games.length > 1 || skipped > 0) {
    const told = [t('games.taken', { n: games.length }), skipped > 0 && t('games.skipped', { n: skipped })];
    notices.show(told.filter(Boolean).join('; '), { key: 'games' });
    panels.show('games');
  }
}
