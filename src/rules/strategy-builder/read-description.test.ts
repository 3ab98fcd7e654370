import { describe, expect, it } from 'vitest';
import { type NamedInstrument, readDescription } from './read-description.ts';

const INSTRUMENTS: readonly NamedInstrument[] = [
  { symbol: 'BTCUSD', name: 'Bitcoin / US dollar', kind: 'crypto' },
  { symbol: 'ETHUSD', name: 'Ethereum / US dollar', kind: 'crypto' },
  { symbol: 'EURUSD', name: 'Euro / US dollar', kind: 'forex' },
  { symbol: 'NVSM', name: 'Novalis Semiconductors', kind: 'equity' },
  { symbol: 'BWMKT', name: 'Sandbox US Market index fund', kind: 'equity' },
];
const read = (text: string) => readDescription(text, INSTRUMENTS);
const meanings = (text: string) => read(text).understood.map(({ meaning }) => meaning);
const missed = (text: string) => read(text).notUnderstood.map(({ text: part }) => part);

describe('a description', () => {
  it('is read for market, style, risk and named instruments', () => {
    const { input } = read('A conservative trend-following strategy on Bitcoin and ETH');
    expect(input).toMatchObject({
      assetClass: 'crypto',
      riskLevel: 'low',
      preferences: { style: 'trend_following', instruments: ['BTCUSD', 'ETHUSD'] },
    });
  });

  it('is read for its numbers, each next to the word that says what it counts', () => {
    const { input } = read(
      'Forex mean reversion, max drawdown of 10%, aiming at 25% a year, stop loss 3%, minimum $25,000, 20-day, weekly',
    );
    expect(input).toMatchObject({
      maxDrawdown: 10,
      targetReturn: 25,
      minimumInvestment: 25_000,
      preferences: { style: 'mean_reversion', stopPercent: 3, length: 20, every: 'week' },
    });
  });

  it('keeps a number within the range of its control and says so', () => {
    expect(read('crypto momentum with a drawdown of 60%').input?.maxDrawdown).toBe(30);
    expect(meanings('crypto momentum with a drawdown of 60%')).toContain(
      'Max drawdown 30% (60 is outside the range)',
    );
  });

  it('counts months in trading days, and does not read short-term as a short position', () => {
    const { input } = read('short-term stock momentum over 6 months, long only');
    expect(input?.preferences).toMatchObject({ length: 126, shorts: false });
  });

  it('takes options on blue chips for options', () => {
    expect(read('Low-risk options on blue chips: covered calls').input).toMatchObject({
      assetClass: 'options',
      riskLevel: 'low',
      preferences: { structure: 'covered_call' },
    });
  });

  it('says what it did not understand, and why it cannot do what it did', () => {
    const text = 'Trend following on shares with 3x leverage, reading the news, and painted purple';
    expect(missed(text)).toEqual(['leverage', 'news', 'painted purple']);
    expect(read(text).notUnderstood[0]?.why).toBe('Leverage is not available.');
  });

  it('takes the first market and the first style of several, and names the others', () => {
    const { input, notUnderstood } = read('Crypto and forex by momentum and mean reversion');
    expect(input).toMatchObject({ assetClass: 'crypto', preferences: { style: 'momentum' } });
    expect(notUnderstood.map(({ text }) => text)).toEqual(['forex', 'mean reversion']);
  });

  it('takes an instrument of another kind for not understood', () => {
    expect(read('NVSM and EURUSD momentum').input?.preferences.instruments).toHaveLength(1);
    expect(missed('EURUSD and NVSM momentum')).toHaveLength(1);
  });

  it('says what was assumed where nothing was said', () => {
    expect(read('momentum').assumed).toEqual(['Market: shares and funds', 'Risk: medium']);
    expect(read('high-risk crypto').assumed).toEqual([]);
  });

  it.each(['', '   ', 'make me rich', 'asdf qwer', 'leverage', '🚀🚀🚀', '-1 0 %%%'])(
    'that says neither what to trade nor how is not understood: %j',
    (text) => {
      expect(read(text).input).toBeNull();
    },
  );

  it('takes no letter of a sentence for a symbol', () => {
    const one = { symbol: 'A', name: 'Agilent', kind: 'equity' } as const;
    expect(readDescription('A trend on crypto', [one]).input).toMatchObject({ assetClass: 'crypto' });
  });

  it('is read in no time, however long and odd', () => {
    const text = '((((drawdown of of of '.repeat(400);
    expect(read(text).input).toBeNull();
  });
});

describe('the three example prompts', () => {
  it.each([
    [
      'crypto',
      'trend_following',
      'Trend-following crypto: hold Bitcoin and Ethereum above their 50-day average, max drawdown 20%',
    ],
    [
      'forex',
      'mean_reversion',
      'Mean reversion forex: buy oversold pairs and sell overbought ones, 20-day, stop loss 3%',
    ],
    ['options', undefined, 'Low-risk options on blue chips: covered calls, checked monthly'],
  ])('%s by %s is understood to its last word', (assetClass, style, text) => {
    expect(read(text).input).toMatchObject({ assetClass });
    expect(read(text).input?.preferences.style).toBe(style);
    expect(read(text).notUnderstood).toEqual([]);
  });
});
