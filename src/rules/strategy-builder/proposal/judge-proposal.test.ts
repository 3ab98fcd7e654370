// What a model proposes, held against the text: where the grammar understood something else it is asked back, and what was never said
// is marked.
import { describe, expect, test } from 'vitest';
import { MARKET } from '#tests/descriptions/example-market.ts';
import { feature, proposal, when } from '#tests/support/scripted-model.ts';
import { readStrategy } from '../reading/read-strategy.ts';
import { type Decision, judgeProposal } from './judge-proposal.ts';
import type { Proposal } from './proposal-shape.ts';

function judge(text: string, given: Partial<Proposal>, decisions: readonly Decision[] = []) {
  const conversation = { messages: [text], answers: [] };
  const read = readStrategy(conversation, MARKET);
  return judgeProposal(proposal(given), { conversation, instruments: MARKET, read, decisions });
}

function differences(text: string, given: Partial<Proposal>) {
  const judged = judge(text, given);
  if (!('differences' in judged)) throw new Error(JSON.stringify(judged));
  return judged.differences.map(({ heard, proposed }) => `${heard} | ${proposed}`);
}

function assumed(text: string, given: Partial<Proposal>) {
  const judged = judge(text, given);
  if (!('assumed' in judged)) throw new Error(JSON.stringify(judged));
  return judged.assumed.map(({ text: said }) => said);
}

const PLAIN = 'Hold SPY while it is above its 50-day average';

test('a proposal that says what the grammar heard is ready, and nothing of it is assumed', () => {
  expect(judge(PLAIN, {})).toMatchObject({ outcome: 'ready', differences: [], assumed: [], clash: null });
});

describe('what was heard and is proposed otherwise is asked back', () => {
  const rsi = [feature('rsi', 'rsi', { length: 14 })];
  const monthly = {
    features: [feature('six', 'roc', { length: 126 })],
    rule: 'ranking',
    schedule: 'month',
  } as const;
  test.each<[what: string, text: string, given: Partial<Proposal>, said: string]>([
    [
      'a direction turned round',
      PLAIN,
      { enter_long: when('close', 'below', 'average'), exit_long: when('close', 'above', 'average') },
      'buys when the close is above the 50-day average | buys when the close is below the 50-day average',
    ],
    [
      'another length',
      PLAIN,
      { features: [feature('average', 'sma', { length: 20 })] },
      'buys when the close is above the 50-day average | buys when the close is above the 20-day average',
    ],
    [
      'another threshold',
      'EURUSD: go long when RSI(14) is under 25, exit when it is above 60',
      {
        instruments: ['EURUSD'],
        features: rsi,
        enter_long: when('rsi', 'below', '30'),
        exit_long: when('rsi', 'above', '60'),
      },
      'buys when the relative strength index over 14 days is below 25 | buys when the relative strength index over 14 days is below 30',
    ],
    ['another instrument', PLAIN, { instruments: ['QQQ'] }, 'SPY | QQQ'],
    [
      'an instrument that was excluded',
      'Hold all coins above their 50-day average. Except SOL.',
      { instruments: ['BTCUSD', 'ETHUSD', 'SOLUSD'] },
      'not SOLUSD | BTCUSD, ETHUSD, SOLUSD',
    ],
    ['a kind that was excluded', `${PLAIN}. No crypto.`, { instruments: ['BTCUSD'] }, 'no crypto | BTCUSD'],
    [
      'short sales that were forbidden',
      `${PLAIN}, never go short`,
      {
        direction: 'long_short',
        enter_short: when('close', 'below', 'average'),
        exit_short: when('close', 'above', 'average'),
      },
      'sells nothing short | sells short',
    ],
    ['another stop', `${PLAIN}, stop loss 8%`, { stop_percent: 10 }, 'a stop of 8% | a stop of 10%'],
    ['a stop left out', `${PLAIN}, stop loss 8%`, {}, 'a stop of 8% | no stop'],
    ['another schedule', `${PLAIN}, checked weekly`, {}, 'looks every week | looks every day'],
    [
      'another size',
      'Put 60% into SPY and 40% into TLT and rebalance every month',
      {
        instruments: ['SPY', 'TLT'],
        schedule: 'month',
        features: [],
        enter_long: when('close', 'above', '0'),
        exit_long: when('close', 'below', '0'),
        weighting: {
          type: 'fixed',
          length: null,
          annual_percent: null,
          weights: [
            { symbol: 'SPY', percent: 50 },
            { symbol: 'TLT', percent: 50 },
          ],
        },
      },
      '60% SPY, 40% TLT | 50% SPY, 50% TLT',
    ],
    [
      'another number of positions',
      'Hold the five US shares that rose most in the last six months, rebalanced monthly',
      {
        ...monthly,
        instruments: ['AAPL', 'MSFT', 'NVDA', 'AMZN'],
        enter_long: [],
        exit_long: [],
        ranking: { by: 'six', top: 4, where: [] },
        weighting: { type: 'equal_of_held', length: null, annual_percent: null, weights: [] },
      },
      'holds 5 | holds 4',
    ],
  ])('%s', (_what, text, given, said) => {
    expect(differences(text, given)).toContain(said);
    expect(judge(text, given).outcome).toBe('asks');
  });
});

test('“and” that becomes “or” is asked back', () => {
  const text =
    'Buy SPY when RSI(14) is under 30 and the close is above the 200-day average, sell when RSI(14) is above 55';
  const features = [feature('rsi', 'rsi', { length: 14 }), feature('slow', 'sma', { length: 200 })];
  const low = { left: 'rsi', op: 'below', right: '30' };
  const high = { left: 'close', op: 'above', right: 'slow' };
  const exit_long = when('rsi', 'above', '55');
  expect(differences(text, { features, enter_long: [{ all: [low, high] }], exit_long })).toEqual([]);
  expect(differences(text, { features, enter_long: [{ all: [low] }, { all: [high] }], exit_long })).toEqual([
    'all conditions have to hold | one condition is enough',
  ]);
});

test('the same said the other way round is no difference', () => {
  expect(
    differences(PLAIN, {
      enter_long: when('average', 'below', 'close'),
      exit_long: when('average', 'above', 'close'),
    }),
  ).toEqual([]);
});

test('what the language does not have stays open, whatever the model makes of it', () => {
  const quoted = [{ part: 'exits.stopPercent', quote: 'trailing stop of 5%' }] as const;
  const said = differences(`${PLAIN} with a trailing stop of 5%`, { stop_percent: 5, words: quoted });
  expect(said.join()).toContain('There is no trailing stop here');
});

test('words that neither reader used stay open; those that the model quotes do not', () => {
  const text = `${PLAIN} but keep your powder dry`;
  expect(differences(text, {}).length).toBeGreaterThan(0);
  const words = [{ part: 'gross', quote: 'but keep your powder dry' }] as const;
  expect(differences(text, { words })).toEqual([]);
  expect(
    differences(text, { words: [{ part: 'gross', quote: 'words that nobody wrote' }] }).length,
  ).toBeGreaterThan(0);
});

test('a refusal of the grammar is never passed over', () => {
  expect(
    differences('Buy SPY above its 50-day average and sell it above its 50-day average', {}).join(),
  ).toContain('contradict');
});

test('numbers, instruments and short sales that nobody said are marked', () => {
  expect(assumed(PLAIN, { stop_percent: 7 })).toEqual(['The stop of 7 was not said']);
  expect(assumed(PLAIN, { instruments: ['SPY', 'QQQ'] })).toEqual(['QQQ was not named']);
  expect(assumed('Buy the dip in SPY', {})).toContain('The length of 50 was not said');
  const shorts = {
    enter_short: when('close', 'below', 'average'),
    exit_short: when('close', 'above', 'average'),
  };
  expect(assumed(PLAIN, { direction: 'long_short', ...shorts })).toContain(
    'That it sells short was not said',
  );
});

test('a number in words, a length in weeks and a usual default are not marked', () => {
  const roc = (length: number) => ({
    features: [feature('rise', 'roc', { length })],
    enter_long: when('rise', 'above', '0'),
    exit_long: when('rise', 'below', '0'),
  });
  expect(assumed('Momentum on SPY over six months', roc(126))).toEqual([]);
  expect(assumed('Hold SPY while it rose over the last 4 weeks', roc(20))).toEqual([]);
  expect(assumed('Hold SPY while it rose over the last 4 weeks', roc(21))).toEqual([
    'The length of 21 was not said',
  ]);
  const rsi = { features: [feature('rsi', 'rsi', { length: 14 })], enter_long: when('rsi', 'below', '30') };
  expect(
    assumed('Buy SPY with RSI under 30, sell over 55', { ...rsi, exit_long: when('rsi', 'above', '55') }),
  ).toEqual([]);
});

test('a decision takes the part of the grammar, or the proposal as it is', () => {
  const given = { stop_percent: 10, schedule: 'week' } as const;
  const text = `${PLAIN}, stop loss 8%`;
  const open = judge(text, given);
  if (!('differences' in open)) throw new Error('it was judged unfit');
  const [{ id } = { id: '' }] = open.differences;
  const heard = judge(text, given, [{ difference: id, take: 'heard' }]);
  expect(heard).toMatchObject({
    outcome: 'ready',
    definition: { exits: { stopPercent: 8 }, schedule: { every: 'week' } },
  });
  const proposed = judge(text, given, [{ difference: id, take: 'proposed' }]);
  expect(proposed).toMatchObject({ outcome: 'ready', definition: { exits: { stopPercent: 10 } } });
});

test.each<[string, Partial<Proposal>, string]>([
  ['an instrument that is not listed', { instruments: ['NOPE'] }, 'NOPE is not on the list of instruments'],
  ['instruments of two kinds', { instruments: ['SPY', 'BTCUSD'] }, 'instruments are of one kind'],
  ['a measure that is not there', { enter_long: when('close', 'above', 'nothing') }, 'rule.enterLong.right'],
  ['borrowed money', { gross_percent: 300 }, 'gross'],
  ['no instrument', { instruments: [] }, 'universe'],
  ['a ranking without one', { rule: 'ranking' }, 'rule.by'],
])('%s goes back to the model in the words of the parser', (_what, given, said) => {
  const judged = judge(PLAIN, given);
  expect(judged.outcome).toBe('unfit');
  expect('errors' in judged && judged.errors.join('; ')).toContain(said);
});

test('what the model misses is asked in our words', () => {
  expect(judge('Trade something', { missing: 'instruments' })).toEqual({
    outcome: 'missing',
    sentence: 'What does it trade?',
  });
});
