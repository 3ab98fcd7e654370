// What was read and has no place beside the rest: a size for fixed weights, a stop for a pair. It is asked back, so that
// nothing is left out in silence.
import type { Slots } from './phrase.ts';
import type { Said } from './said.ts';

export function askUnused(said: Said): void {
  const isPair = said.get('pair') === true;
  const isRanking = said.rank !== null;
  const isFixed = said.weights.length > 0 || said.ratio !== null;
  const hasEntry = said.tests.some(({ role }) => role === 'enterLong' || role === 'enterShort');
  if (isPair)
    ask(
      said,
      ['stopPercent', 'targetPercent', 'maxBars', 'risk', 'drawdown', 'cap', 'each', 'gross'],
      'A pair is traded by its spread, half of the money each',
    );
  if (isPair && said.get('sizing') !== 'equal')
    ask(said, ['sizing'], 'A pair is traded by its spread, half of the money each');
  if (isRanking && said.get('direction') !== 'long')
    ask(said, ['direction'], 'A ranking here holds the highest and sells nothing short');
  if (isFixed) ask(said, ['sizing', 'each', 'cap', 'risk', 'drawdown'], 'The shares are fixed already');
  else if (said.get('sizing') !== undefined)
    ask(said, ['risk', 'drawdown', 'each'], 'The size is said already');
  if (hasEntry || isRanking || isPair) ask(said, ['trendBars'], 'There is another rule already');
  if (hasEntry || isPair) ask(said, ['momentumBars'], 'There is another rule already');
  const shorts = said.tests.find(({ role }) => role === 'enterShort' || role === 'exitShort');
  if (isRanking && shorts !== undefined)
    said.ask({
      topic: 'words',
      spans: shorts.tests.flatMap(({ spans }) => spans),
      sentence: 'A ranking here sells nothing short.',
      choices: [LEAVE_OUT],
    });
}

function ask(said: Said, slots: readonly (keyof Slots)[], why: string): void {
  for (const slot of slots) {
    const span = said.spanOf(slot);
    if (span === undefined || said.get(slot) === 'none') continue;
    said.ask({
      topic: 'words',
      spans: [span],
      sentence: `${why}. This has no place beside it.`,
      choices: [LEAVE_OUT],
    });
  }
}

const LEAVE_OUT = { label: 'Leave it out', says: '' } as const;
