// Opens pasted, dropped, chosen or typed content, or reports the error.

import { CodedError } from '../base/coded-error.js';
import { orNull } from '../base/validate.js';
import { treeOf } from '../model/game-tree.js';
import { readLink } from '../model/link.js';
import { MIN_MOVES } from '../panels/next-step.js';
import { basesOf, takeBases } from './bases.js';
import { errorText, isPicture, readFiles, readText } from './import.js';

/** The most parts of games that a notice names. */
const MAX_PARTS = 3;

/** Opens the games of a text. Returns `false` if it is invalid. @param {App} app @param {string} text */
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
    const bases = await basesOf(files);
    const games = bases.length > 0 ? await takeBases(app, bases) : [];
    if (games.length > 0) put(app, { games });
    // Other programs copy a text together with its picture.
    const used = text === '' ? files : files.filter((file) => !isPicture(file));
    const others = used.filter((file) => !bases.includes(file));
    if (others.length > 0) put(app, await readFiles(app.rules, others));
    else if (used.length === 0) put(app, readText(app.rules, text));
  } catch (error) {
    // The text of a picture may be its address.
    const isAddress = files.some(isPicture) && /** @type {any} */ (error).code === 'unknown';
    refuse(app, isAddress ? new CodedError({ code: 'picture' }) : error, text);
  }
}

/** Opens the fragment of a link, or reports its error and returns `false`. A finished game is analyzed. A transcript with an illegal
 *  move is opened up to it, as when it is pasted, unless there is another game.
 *  @param {App} app @param {string} fragment */
export async function takeLink(app, fragment) {
  const { notices, rules, study, words } = app;
  try {
    const tree = readLink(rules, fragment);
    const { cursor } = tree;
    const { ask } = tree.tags;
    // After the question, the board has a study like any other.
    delete tree.tags.ask;
    notices.close('link');
    if (ask && !rules.look(cursor.position).over) return await askQuestion(app, tree);
    app.loadTree(tree, cursor);
    const last = /** @type {TreeNode} */ (tree.main.at(-1));
    if (tree.main.length > MIN_MOVES && rules.look(last.position).over) app.analyzeReceived(cursor !== last);
    return true;
  } catch (/** @type {any} */ error) {
    const isPlain = error.code === 'illegal' && study.tree.link() === '' && /^[a-h1-8]+$/i.test(fragment);
    const { games = [], faults = [] } = isPlain ? (orNull(() => rules.readGames(fragment)) ?? {}) : {};
    if (games.length === 0) await app.fail(error, 'link');
    if (games.length === 0) return false;
    putGame(app, games[0]);
    const fault = errorText(faults[0], words);
    notices.show(words.t('games.cut', { fault }), { key: 'link', kind: 'fault' });
    return true;
  }
}

/** Asks for the best move at the cursor of a tree, without its lines. @param {App} app @param {Tree} tree */
async function askQuestion(app, tree) {
  const { cursor: node } = tree;
  const { comment: told, position } = node;
  app.loadTree(tree, node);
  await app.modes.begin('puzzle', { puzzle: { id: position, position, scores: null, told } });
  return true;
}

/** Opens a game, at its end, or at its start if it is over. Throws if it is invalid.
 *  @param {Pick<App, 'loadTree' | 'rules'>} app @param {Game} game */
export function putGame(app, game) {
  const tree = treeOf(app.rules, game);
  const last = /** @type {TreeNode} */ (tree.main.at(-1));
  app.loadTree(tree, app.rules.look(last.position).over ? tree.root : last);
  return tree;
}

/** Reports an error, or asks for the missing side to move. Returns `true` if it asks.
 *  @param {Pick<App, 'dialog' | 'fail'>} app @param {any} error @param {string} text */
function refuse(app, error, text) {
  const open = error.code === 'no-side' && text !== '';
  if (open) app.dialog('askSide', text);
  else app.fail(error);
  return open;
}

/** @param {App} app @param {Imported} read */
function put(app, { games, link, skipped = 0, cut = 0, faults = [] }) {
  const { notices, panels, t, words } = app;
  if (link) {
    takeLink(app, link);
    return;
  }
  if (games.length === 0 && skipped === 0) throw new CodedError({ code: 'empty' });
  if (games.length > 0) {
    putGame(app, games[0]);
    app.saveGames(games);
  }
  const part = games.length === 1 && games[0].cut;
  const parts = games.flatMap(({ notKept = [] }) => notKept.map(([, part]) => part));
  if (parts.length > MAX_PARTS) parts.splice(MAX_PARTS, Infinity, '…');
  const lost = [
    part && t('games.variationCut', { part }),
    parts.length > 0 && t('games.notKept', { parts: parts.join('; ') }),
  ];
  const show = (/** @type {(string | false | undefined)[]} */ told, how) =>
    notices.show(told.filter(Boolean).join('; '), { key: 'games', ...how });
  if (games.length === 1 && skipped === 1 && cut === 1) {
    show([t('games.cut', { fault: errorText(faults[0], words) }), ...lost], { kind: 'fault' });
  } else if (games.length > 1 || skipped > 0) {
    const told = [
      games.length > 0 && t('games.taken', { n: games.length }),
      cut > 0 && t('games.cuts', { n: cut }),
      skipped > cut && t('games.skipped', { n: skipped - cut }),
    ];
    const list = () => {
      const lines = faults.map((fault) => errorText(fault, words));
      if (skipped > faults.length) lines.push(t('faults.more', { n: skipped - faults.length }));
      app.dialog('showText', t('faults.title'), lines.join('\n'));
    };
    show([...told, ...lost], {
      kind: skipped > 0 ? 'fault' : 'info',
      action: skipped > 0 ? { label: t('faults.show'), run: list } : null,
    });
  } else if (lost.some(Boolean)) {
    show(lost, { kind: part ? 'fault' : 'info' });
  }
  if (games.length > 1) panels.show('games');
  else if (app.study.tree.main.length > MIN_MOVES) app.analyzeReceived();
}
