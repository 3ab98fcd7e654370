import { describe, expect, it } from 'vitest';
import type { Answer } from './conversation.ts';
import type { NamedInstrument } from './market-names.ts';
import { readStrategy } from './read-strategy.ts';

const INSTRUMENTS: readonly NamedInstrument[] = [
  { symbol: 'BTCUSD', name: 'Bitcoin / US dollar', kind: 'crypto' },
  { symbol: 'ETHUSD', name: 'Ethereum / US dollar', kind: 'crypto' },
  { symbol: 'EURUSD', name: 'Euro / US dollar', kind: 'forex' },
  { symbol: 'USDJPY', name: 'US dollar / Japanese yen', kind: 'forex' },
  { symbol: 'BWAU', name: 'Sandbox Gold micro future, continuous', kind: 'futures' },
  { symbol: 'BWMKT', name: 'Sandbox US Market index fund', kind: 'equity' },
  { symbol: 'BWGLD', name: 'Sandbox Gold fund', kind: 'equity' },
  { symbol: 'NVSM', name: 'Novalis Semiconductors', kind: 'equity' },
  { symbol: 'QLBR', name: 'Quillbridge Software', kind: 'equity' },
];
const read = (text: string, further: readonly string[] = [], answers: readonly Answer[] = []) =>
  readStrategy({ messages: [text, ...further], answers }, INSTRUMENTS);
const wordsOf = (text: string, spans: readonly { readonly from: number; readonly to: number }[]) =>
  spans.map(({ from, to }) => text.slice(from, to));

describe('each phrase', () => {
  it('points to the part that it made', () => {
    const text = 'Buy Novalis when RSI(14) is under 25, sell above 60, stop loss 8%, monthly';
    const { links } = read(text);
    const made = (part: string) =>
      wordsOf(
        text,
        links.filter((link) => link.part === part).map(({ span }) => span),
      );
    expect(made('universe')).toEqual(['Novalis']);
    expect(made('rule.enterLong')).toEqual(['RSI(14) is under 25']);
    expect(made('rule.exitLong')).toEqual(['above 60']);
    expect(made('exits.stopPercent')).toEqual(['stop loss 8%']);
    expect(made('schedule')).toEqual(['monthly']);
  });

  it('that is not understood is asked about, and nothing is built without it', () => {
    const text = 'Hold Novalis above its 50-day average, painted purple';
    const { outcome, questions } = read(text);
    expect(outcome).toBe('asks');
    expect(questions.flatMap(({ spans }) => wordsOf(text, spans))).toEqual(['painted purple']);
  });

  it('that is a symbol of nothing here says so', () => {
    const { questions } = read('Hold AAPL above its 50-day average');
    expect(questions.map(({ sentence }) => sentence)).toContain(
      'No instrument here has this symbol. Name another one, or leave it out.',
    );
    expect(questions[0]!.choices.map(({ label }) => label)).toEqual([
      expect.stringMatching(/^The market fund, /),
      'Leave it out',
    ]);
  });

  it('that the language does not have says why', () => {
    const { questions } = read('Hold Novalis above its 50-day average with 3x leverage');
    expect(questions.map(({ sentence }) => sentence)).toContain(
      'Leverage is not available: nothing is borrowed.',
    );
  });
});

describe('the whole of a strategy', () => {
  it.each([
    [
      'Hold Novalis and Quillbridge in equal parts, rebalance only when a weight is off by 5 percent',
      { band: { percent: 5 }, universe: ['NVSM', 'QLBR'] },
    ],
    [
      'Buy the 1 most liquid US share above its 50-day average, rebalance when it drifts more than 3%',
      { band: { percent: 3 }, basket: { by: 'turnover', length: 63, most: 1 } },
    ],
    [
      'Buy the 2 US shares with the best 6 month return, put more money into the stronger ones',
      { weighting: { type: 'conviction', by: 'change' }, rule: { type: 'ranking', top: 2 } },
    ],
  ])('%s', (text, wanted) => {
    const { outcome, questions, definition } = read(text);
    expect({ outcome, questions }).toEqual({ outcome: 'ready', questions: [] });
    expect(definition).toMatchObject(wanted);
  });

  it.each([
    ['Buy the most liquid US shares above their 50-day average', 'How many of the most traded?'],
    [
      'Buy Novalis above its 50-day average, sized by conviction',
      'What is strong is known where instruments are ranked, such as the top 5 by 6-month return.',
    ],
    [
      'Hold Novalis, rebalance when it drifts',
      'This was not understood. Say it in other words, or leave it out.',
    ],
  ])('is asked about where it is not whole: %s', (text, sentence) => {
    const { outcome, questions } = read(text);
    expect(outcome).toBe('asks');
    expect(questions.map((one) => one.sentence)).toEqual([sentence]);
  });

  it('follows the market where a condition names it, and trades what is bought', () => {
    const { outcome, definition } = read('Buy Novalis when the market fund is above its 200-day average');
    expect(outcome).toBe('ready');
    expect(definition).toMatchObject({ universe: ['NVSM'], features: { average: { symbol: 'BWMKT' } } });
  });
});

describe('a negation', () => {
  it('that is understood excludes', () => {
    const { definition } = read('US shares without Novalis above the 50-day average, no shorts, no leverage');
    expect(definition).toMatchObject({ universe: ['QLBR'], direction: 'long' });
  });

  it('never becomes its opposite', () => {
    const text =
      'No crypto, please. I do not want trend following. Trade gold futures only, and never go short.';
    const { outcome, questions, definition } = read(text);
    expect([outcome, definition]).toEqual(['asks', null]);
    expect(questions.map(({ topic }) => topic)).toEqual(['how']);
    const answered = read(text, ['Buy it above its 50-day average']).definition;
    expect(answered).toMatchObject({ universe: ['BWAU'], direction: 'long' });
  });

  it.each([
    'Do not sell Novalis at a loss',
    'Never buy Novalis on a Friday',
    'Hold Novalis, but not when it is below its average',
  ])('that is not understood refuses: %s', (text) => expect(read(text).outcome).toBe('refused'));
});

describe('a contradiction', () => {
  it.each([
    ['Stop loss 5% and stop loss 12% on Novalis above its 50-day average', ['stop loss 12%', 'Stop loss 5%']],
    [
      'Long only Novalis, and short it when it is below the 200-day average',
      ['Long only', 'below the 200-day average'],
    ],
    ['Trade Novalis and bitcoin above their 100-day averages', ['Novalis', 'bitcoin']],
  ])('is refused with both places: %s', (text, places) => {
    const { outcome, refusals } = read(text);
    expect(outcome).toBe('refused');
    expect(refusals.flatMap(({ spans }) => wordsOf(text, spans)).sort()).toEqual(
      expect.arrayContaining(places),
    );
  });
});

describe('a conversation', () => {
  it('asks about what is vague, and an answer takes its place', () => {
    const text = 'Buy the dips on Novalis, sell after 10 days';
    const { questions } = read(text);
    const [first] = questions;
    expect(wordsOf(text, first!.spans)).toEqual(['the dips']);
    const answered = read(text, [], [{ about: 'the dips', says: first!.choices[0]!.says }]);
    expect(answered.outcome).toBe('ready');
    expect(answered.definition).toMatchObject({
      exits: { maxBars: 10 },
      rule: { enterLong: { op: 'below', right: 30 } },
    });
    const made = answered.links.filter(({ part }) => part === 'rule.enterLong').map(({ span }) => span);
    expect(wordsOf(text, made)).toEqual(['the dips']);
  });

  it('takes corrections', () => {
    const text = 'Hold US shares above their 100-day average, weekly';
    const { definition } = read(text, [
      'make it monthly',
      'stop loss 9%',
      'without Novalis',
      'above the 50-day average',
    ]);
    expect(definition).toMatchObject({
      schedule: { every: 'month' },
      exits: { stopPercent: 9 },
      universe: ['QLBR'],
      features: { average: { length: 50 } },
    });
  });

  it('takes short sales out again', () => {
    const text = 'EURUSD: long above the 50-day average, short below it';
    expect(read(text).definition).toMatchObject({ direction: 'long_short' });
    expect(read(text, ['no shorts']).definition).toMatchObject({ direction: 'long' });
  });

  it.each([
    ['buy dips in Novalis', 'dips', 'How large a fall is meant?'],
    ['sell the rally in Novalis', 'rally', 'By what rule is that seen?'],
    ['Novalis calls', 'calls', 'Which options?'],
    ['Novalis puts', 'puts', 'Which options?'],
  ])('asks with choices about a word that can be several rules: %s', (text, word, sentence) => {
    const [question] = read(text).questions.filter(({ topic }) => topic === 'words');
    expect(question).toMatchObject({ sentence });
    expect(wordsOf(text, question!.spans).join()).toContain(word);
    expect(question!.choices.length).toBeGreaterThan(1);
  });

  it('comes from a dip to a draft by its choices', () => {
    const text = 'buy dips in Novalis';
    const [choice] = read(text).questions[0]!.choices;
    const first = read(text, [], [{ about: 'dips', says: choice!.says }]);
    expect(first.questions.map(({ topic }) => topic)).toEqual(['sell']);
    const then = read(text, [first.questions[0]!.choices[0]!.says], [{ about: 'dips', says: choice!.says }]);
    expect(then.outcome).toBe('ready');
  });

  it('asks nothing about words that carry no rule', () => {
    const text = 'Buy something when it is above its 50-day average';
    expect(read(text).questions.map(({ topic }) => topic)).toEqual(['what']);
  });

  it('reads a stop that trails in any order of words, and never as a plain stop', () => {
    for (const stop of ['trailing 10% stop', 'a trailing stop of 10%', 'trailing stop 10%'])
      expect(read(`Novalis above its 50-day average, ${stop}`).outcome).toBe('asks');
    const period = 'Hold the top 2 US shares by trailing 6-month return';
    expect(read(period).outcome).toBe('ready');
  });

  it('trades nothing that another one stands in the place of', () => {
    const { definition } = read('Hold US shares instead of Novalis above their 50-day average');
    expect(definition?.universe ?? []).not.toContain('NVSM');
  });

  it('leaves out only what it is told to', () => {
    const text = 'Hold Novalis above its 50-day average with a trailing stop';
    expect(read(text, [], [{ about: 'trailing stop', says: '' }]).outcome).toBe('ready');
  });
});

describe('an instrument', () => {
  it('that two kinds share is asked about, unless the kind is said', () => {
    expect(read('Hold gold above its 50-day average').questions[0]?.choices.map(({ says }) => says)).toEqual([
      'BWAU',
      'BWGLD',
    ]);
    expect(read('Hold gold futures above their 50-day average').definition).toMatchObject({
      universe: ['BWAU'],
    });
  });

  it('of another kind than the one that is named is asked about', () => {
    const text = 'Hold US shares above their 50-day average. Gold fund.';
    expect(read(text).questions.flatMap(({ spans }) => wordsOf(text, spans))).toContain('Gold fund');
  });

  it('that an answer speaks of is a regime', () => {
    const text = 'Hold US shares above their 50-day average when the market is strong';
    const { definition } = read(
      text,
      [],
      [{ about: 'strong', says: 'when it is above its 200-day average' }],
    );
    expect(definition).toMatchObject({
      universe: ['NVSM', 'QLBR'],
      features: { average_3: { symbol: 'BWMKT', length: 200 } },
    });
  });

  it('of a regime is not traded', () => {
    const { definition } = read('Hold bitcoin only while the market is above its 200-day average');
    expect(definition).toMatchObject({
      universe: ['BTCUSD'],
      features: { average: { length: 1 }, average_2: { symbol: 'BWMKT', length: 200 } },
    });
  });
});

it('reads long and odd text in little work', () => {
  expect(read('((((drawdown of of of '.repeat(90)).outcome).not.toBe('ready');
  expect(read('not '.repeat(500)).outcome).toBe('refused');
});
