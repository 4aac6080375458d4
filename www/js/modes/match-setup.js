// The dialog before a match: opponent, color, start position, clock and aids, as chosen last.

import { checkbox, choices, closingButton, openDialog } from '../base/dialog.js';
import { h, s, spring, text } from '../base/dom.js';
import { SIDES } from '../base/position.js';
import { CLOCKS, chosenBefore, setupOf } from '../model/match-choice.js';
import { OPPONENTS, opponentOf, usualOpponent } from '../model/opponents.js';

/** The opponents with a face: the lines on a disc. */
const FACES = {
  beginner: 'M24 15v-4q-5-5-9-2 3 5 9 2 5-5 9-2-3 5-9 2M17 21v4M31 21v4M16 31q8 8 16 0',
  club: 'M11 23a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0M26 23a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0h-4M18 35q6 3 12 0',
  champion: 'M15 16l-2-8 6 4 5-6 5 6 6-4-2 8ZM14 22l7 2M34 22l-7 2M18 27v2M30 27v2M18 36q8 2 12-3',
};

/** @param {string} d */
const face = (d) =>
  s('svg', { viewBox: '0 0 48 48' }, s('circle', { cx: 24, cy: 24, r: 22 }), s('path', { d }));

/** The average loss of an opponent, as text. @param {Translations} words @param {Opponent} opponent */
const lossText = ({ t }, { id, loss }) => t(id === 'engine' ? 'match.lossNone' : 'match.loss', { loss });

/** Asks for a match: the opponent by its face, which begins at once, or its strength. `here` offers the position on the board as
 *  the start; `unfinished` resumes the saved match, if there is one. Returns `null` if the user cancels.
 *  @param {Pick<App, 'attempt' | 'store' | 't' | 'words'>} app @param {{ here: boolean, unfinished: (() => void) | null }} offered
 *  @returns {Promise<{ setup: MatchSetup, from: string } | null>} */
export function askSetup(app, { here, unfinished }) {
  const { store, t, words } = app;
  const chosen = { ...chosenBefore(store.get('match', {})), from: 'start' };
  const name = (id) => t(`match.opponent.${id}`);
  const set = (key, value) => {
    chosen[key] = value;
    const opponent = opponentOf(chosen.opponent) ?? usualOpponent;
    text(shown, `${name(opponent.id)} · ${lossText(words, opponent)}`);
    rivals.hidden = chosen.colour === 'XO';
    for (const one of faces) one.setAttribute('aria-pressed', String(one.dataset.id === chosen.opponent));
  };
  const ask = (key, options) => {
    const what = { name: key, legend: t(`match.${key}`), value: chosen[key], options };
    return choices({ ...what, onchange: (value) => set(key, value) });
  };
  const allow = (key, label) => checkbox(t(label), chosen[key], (on) => set(key, on));
  const sides = [...SIDES.map((side) => [side, words.side(side)]), ['?', t('match.lot')]];
  const players = [...sides, ['XO', t('match.both')], ['', t('match.neither')]];
  const times = CLOCKS.map((time, i) => [i, time ? `${time[0] / 60}+${time[1]}` : t('match.noClock')]);
  const froms = ['start', ...(here ? ['here'] : []), 'even', 'known'];
  const starts = froms.map((from) => [from, t(`match.from.${from}`)]);
  const result = () => {
    const { from, ...kept } = chosen;
    store.set('match', kept);
    return { from, setup: setupOf(kept) };
  };
  const shown = h('output.muted', { for: 'strength' });
  const at = OPPONENTS.findIndex(({ id }) => id === chosen.opponent);
  const range = { id: 'strength', type: 'range', max: OPPONENTS.length - 1, value: at };
  const oninput = ({ target }) => set('opponent', OPPONENTS[target.value].id);
  const slider = h('input', { ...range, oninput });
  const faces = Object.entries(FACES).map(([id, lines]) => {
    const onclick = ({ currentTarget }) => {
      chosen.opponent = id;
      currentTarget.form.querySelector('.solid').click();
    };
    const loss = lossText(words, opponentOf(id) ?? usualOpponent);
    const props = { onclick, 'aria-pressed': String(id === chosen.opponent), data: { id } };
    return h('button.plain', props, face(lines), h('b', name(id)), h('small.muted', loss));
  });
  const strength = h('label.stacked', { for: 'strength' }, t('match.strength'));
  const rivals = h('div.rivals', h('div.faces', faces), strength, slider, shown);
  set('from', 'start');
  const goOn = unfinished && closingButton(app, t('match.goOn'), unfinished);
  const resume = goOn && h('p.under', h('span', t('match.unfinished')), spring(), goOn);
  const groups = [ask('colour', players), ask('from', starts), ask('clock', times)];
  const aids = [allow('hints', 'match.hints'), allow('takeBack', 'match.mayTakeBack')];
  const body = [resume, rivals, groups, aids];
  return new Promise((resolve) => {
    const begin = { label: t('match.start'), solid: true, run: () => resolve(result()) };
    openDialog(app, t('match.title'), body, [{ label: t('do.cancel') }, begin], () => resolve(null));
  });
}
