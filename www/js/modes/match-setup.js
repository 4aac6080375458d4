// The dialog before a match: opponent, color, clock, aids and start position.

import { askDialog, checkbox, choices, closingButton } from '../base/dialog.js';
import { h, spring, text } from '../base/dom.js';
import { SIDES } from '../base/position.js';
import { OPPONENTS, opponentOf, usualOpponent } from '../model/opponents.js';

/** Seconds for the game and seconds added per move, or no clock. @type {MatchSetup['time'][]} */
const CLOCKS = [null, [60, 0], [180, 2], [300, 0], [900, 5]];

/** The average loss of an opponent, as text. @param {Translations} words @param {Opponent} opponent */
const lossText = ({ t }, { id, loss, temperature }) =>
  id === 'engine' ? t('match.lossNone') : t(temperature ? 'match.loss' : 'match.lossUpTo', { loss });

/** Reads the last choices, also of older versions. Invalid values get their defaults. @param {any} stored */
export function chosenBefore(stored) {
  const { colour, opponent, level, clock, hints, takeBack } = Object(stored);
  return {
    colour: ['X', 'O', '?'].includes(colour) ? colour : 'X',
    opponent: (opponentOf(opponent, level) ?? usualOpponent).id,
    clock: Number.isInteger(clock) && clock in CLOCKS ? clock : 0,
    hints: hints !== false,
    takeBack: takeBack !== false,
  };
}

/** @returns {Side} */
const randomSide = () => (crypto.getRandomValues(new Uint8Array(1))[0] % 2 ? 'X' : 'O');

/** Asks for a match. `here` offers the position on the board as the start; `unfinished` resumes the saved match, if there is one.
 *  Returns `null` if the user cancels.
 *  @param {App} app @param {{ here: boolean, unfinished: (() => void) | null }} offered
 *  @returns {Promise<{ setup: MatchSetup, here: boolean } | null>} */
export function askSetup(app, { here, unfinished }) {
  const { store, t, words } = app;
  const chosen = { ...chosenBefore(store.get('match', {})), from: 'start' };
  const set = (name, value) => {
    chosen[name] = value;
    text(loss, lossText(words, opponentOf(chosen.opponent) ?? usualOpponent));
  };
  const ask = (name, options) =>
    choices({
      name,
      legend: t(`match.${name}`),
      value: chosen[name],
      options,
      onchange: (value) => set(name, value),
    });
  const allow = (name, label) => checkbox(t(label), chosen[name], (on) => set(name, on));
  const loss = h('p.muted', { 'aria-live': 'polite' });
  set('from', 'start');
  const opponents = OPPONENTS.map(({ id }) => [id, t(`match.opponent.${id}`)]);
  const sides = [...SIDES.map((side) => [side, words.side(side)]), ['?', t('match.lot')]];
  const times = CLOCKS.map((time, i) => [i, time ? `${time[0] / 60}+${time[1]}` : t('match.noClock')]);
  const starts = ['start', 'here'].map((from) => [
    from,
    t(from === 'here' ? 'match.fromHere' : 'match.fromStart'),
  ]);
  const start = () => {
    const { from, ...kept } = chosen;
    store.set('match', kept);
    const { colour, opponent, clock, hints, takeBack } = kept;
    return {
      here: from === 'here',
      setup: {
        colour: colour === '?' ? randomSide() : colour,
        opponent: opponentOf(opponent) ?? usualOpponent,
        time: CLOCKS[clock],
        hints,
        takeBack,
      },
    };
  };
  const body = [
    unfinished &&
      h(
        'p.under',
        h('span', t('match.unfinished')),
        spring(),
        closingButton(app, t('match.goOn'), unfinished),
      ),
    ask('opponent', opponents),
    loss,
    ask('colour', sides),
    ask('clock', times),
    here && ask('from', starts),
    allow('hints', 'match.hints'),
    allow('takeBack', 'match.mayTakeBack'),
  ];
  return askDialog(app, t('match.title'), body, [
    { label: t('do.cancel') },
    { label: t('match.start'), solid: true, run: start },
  ]);
}
