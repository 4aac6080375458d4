// The dialog before a match: whom to play, with which colour, clock and aids, and from where.

import { checkbox, choices, openDialog } from '../base/dialog.js';
import { h, text } from '../base/dom.js';
import { OPPONENTS, opponentOf, usualOpponent } from '../model/opponents.js';

/** Seconds for the game and seconds added a move, or no clock. @type {MatchSetup['time'][]} */
const CLOCKS = [null, [60, 0], [180, 2], [300, 0], [900, 5]];

/** What an opponent loses, in words. @param {Translations} words @param {Opponent} opponent */
export const lossText = ({ t }, { id, loss, temperature }) =>
  id === 'engine' ? t('match.lossNone') : t(temperature ? 'match.loss' : 'match.lossUpTo', { loss });

/** What was chosen last time, also by an older version: whatever makes no sense is as if nothing was. @param {any} stored */
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

/** By lot. @returns {Side} */
const anySide = () => (crypto.getRandomValues(new Uint8Array(1))[0] % 2 ? 'X' : 'O');

/**
 * Asks for a match; `here` is whether it may begin at the position on the board, `unfinished` goes on with the match that
 * is kept, where there is one. Nothing where the person thinks better of it.
 * @param {App} app @param {{ here: boolean, unfinished: (() => void) | null }} offered
 * @returns {Promise<{ setup: MatchSetup, here: boolean } | null>}
 */
export function askSetup({ store, words }, { here, unfinished }) {
  const { t } = words;
  const chosen = { ...chosenBefore(store.get('match', {})), from: 'start' };
  const ask = (name, options, onchange = () => {}) =>
    choices({
      name,
      legend: t(`match.${name}`),
      value: chosen[name],
      options,
      onchange: (value) => {
        chosen[name] = value;
        onchange();
      },
    });
  const allow = (name, label) =>
    checkbox({
      label: t(label),
      checked: chosen[name],
      onchange: (on) => {
        chosen[name] = on;
      },
    });
  const told = h('p.muted', { 'aria-live': 'polite' });
  const tell = () => text(told, lossText(words, opponentOf(chosen.opponent) ?? usualOpponent));
  tell();
  const sides = [
    ['X', t('black')],
    ['O', t('white')],
    ['?', t('match.lot')],
  ];
  const times = CLOCKS.map((time, i) => [i, time ? `${time[0] / 60}+${time[1]}` : t('match.noClock')]);
  const starts = [
    ['start', t('match.fromStart')],
    ['here', t('match.fromHere')],
  ];
  return new Promise((resolve) => {
    const goOn = () => {
      resolve(null);
      opened.close();
      unfinished?.();
    };
    const start = () => {
      const { from, ...kept } = chosen;
      store.set('match', kept);
      const { colour, opponent, clock, hints, takeBack } = kept;
      resolve({
        here: from === 'here',
        setup: {
          colour: colour === '?' ? anySide() : colour,
          opponent: opponentOf(opponent) ?? usualOpponent,
          time: CLOCKS[clock],
          hints,
          takeBack,
        },
      });
    };
    const opened = openDialog({
      title: t('match.title'),
      words,
      body: [
        unfinished &&
          h(
            'p.under',
            h('span', t('match.unfinished')),
            h('span.sp'),
            h('button.plain', { onclick: goOn }, t('match.goOn')),
          ),
        ask(
          'opponent',
          OPPONENTS.map(({ id }) => [id, t(`match.opponent.${id}`)]),
          tell,
        ),
        told,
        ask('colour', sides),
        ask('clock', times),
        here && ask('from', starts),
        allow('hints', 'match.hints'),
        allow('takeBack', 'match.mayTakeBack'),
      ].filter((part) => part !== null),
      actions: [{ label: t('do.cancel') }, { label: t('match.start'), solid: true, run: start }],
      onClose: () => resolve(null),
    });
  });
}
