import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, parseInstant } from '#units/instant.ts';
import { withFutures } from './futures-market.ts';
import { withOptionMarket } from './option-market.ts';
import { withShareActions } from './share-actions.ts';
import { simulatedMarket } from './simulated-market.ts';

const plain = simulatedMarket(7);
const market = withOptionMarket(withFutures(withShareActions(plain)));
const asOf = parseInstant('2026-06-30T00:00:00Z');
const bars = (symbol: string, from = '2013-01-01', to = '2026-06-29') =>
  market.dailyBars(symbol as Symbol, { from: from as IsoDate, to: to as IsoDate, asOf });
const last = (symbol: string, at: string) => market.quote(symbol as Symbol, parseInstant(at))!.last;

describe('futures', () => {
  it('cost more for later months when carry is positive, and meet the spot price at expiry', () => {
    const at = '2026-01-15T16:00:00Z';
    const [spot, near, far] = ['BWGLD', 'BWAU.2026H', 'BWAU.2026M'].map((symbol) => last(symbol, at));
    expect(near).toBeGreaterThan(spot!);
    expect(far).toBeGreaterThan(near!);
    const final = bars('BWSX.2026H').at(-1)!;
    expect(final.date).toBe('2026-03-20');
    expect(final.close).toBe(bars('BWMKT', '2026-03-20', '2026-03-20')[0]!.close);
    expect(last('BWSX.2026H', '2026-04-10T16:00:00Z')).toBe(final.close);
  });

  it('are listed two hundred days before expiry, and not earlier', () => {
    const symbols = (at: string) => market.listedAt!(parseInstant(at)).map(({ symbol }) => symbol);
    expect(symbols('2026-01-15T16:00:00Z')).toContain('BWSX.2026M');
    expect(symbols('2026-01-15T16:00:00Z')).not.toContain('BWSX.2026U');
    expect(market.quote('BWSX.2026U' as Symbol, parseInstant('2026-01-15T16:00:00Z'))).toBeNull();
  });

  it('have a continuous series with the returns of the front contract', () => {
    const move = (symbol: string) => {
      const [from, to] = [bars(symbol, '2026-02-02', '2026-02-02'), bars(symbol, '2026-03-09', '2026-03-09')];
      return to[0]!.close / from[0]!.close;
    };
    expect(move('BWAU')).toBeCloseTo(move('BWAU.2026H'), 3);
  });
});

describe('options', () => {
  it('are listed around the price for the next two monthly expiries, calls and puts', () => {
    const listed = market.listedAt!(parseInstant('2026-01-15T16:00:00Z')).filter(
      ({ kind }) => kind === 'options',
    );
    expect(new Set(listed.map(({ expiry }) => expiry))).toEqual(new Set(['2026-01-16', '2026-02-20']));
    const close = bars('BWMKT', '2026-01-14', '2026-01-14')[0]!.close;
    const strikes = listed
      .flatMap(({ symbol }) => /^BWMKT\.260220C(\d+)$/.exec(symbol)?.[1] ?? [])
      .map(Number);
    expect(Math.min(...strikes)).toBeLessThan(close * 0.9);
    expect(Math.max(...strikes)).toBeGreaterThan(close * 1.1);
  });

  it('close at the price in their bar, and end at their exercise value', () => {
    const [call, put] = ['BWMKT.260220C330', 'BWMKT.260220P330'] as const;
    const [bar] = bars(call, '2026-02-10', '2026-02-10');
    expect(last(call, '2026-02-10T20:59:59Z')).toBeCloseTo(bar!.close, 1);
    const spot = bars('BWMKT', '2026-02-20', '2026-02-20')[0]!.close;
    expect(bars(call).at(-1)).toMatchObject({
      date: '2026-02-20',
      close: Number(Math.max(0, spot - 330).toFixed(2)),
    });
    expect(bars(put).at(-1)).toMatchObject({
      date: '2026-02-20',
      close: Number(Math.max(0, 330 - spot).toFixed(2)),
    });
  });
});

describe('splits and dividends', () => {
  const actions = market.actions!(asOf);

  it('halve the quoted price and leave a holder’s value unchanged', () => {
    const split = actions.find(({ symbol, exDate }) => symbol === 'QLBR' && exDate === '2026-02-09')!;
    expect(split).toMatchObject({ kind: 'split', amount: 2 });
    const [before, after] = bars('QLBR', '2026-02-06', '2026-02-09');
    const [modelBefore, modelAfter] = plain.dailyBars('QLBR' as Symbol, {
      from: '2026-02-06' as IsoDate,
      to: '2026-02-09' as IsoDate,
      asOf,
    });
    expect((after!.close * 2) / before!.close).toBeCloseTo(modelAfter!.close / modelBefore!.close, 3);
  });

  it('appear in the quote from the previous close on', () => {
    const close = bars('QLBR', '2026-02-06', '2026-02-06')[0]!.close;
    expect(last('QLBR', '2026-02-06T20:00:00Z')).toBeGreaterThan(close * 0.9);
    expect(last('QLBR', '2026-02-07T12:00:00Z')).toBeCloseTo(close / 2, 1);
    expect(market.actions!(parseInstant('2026-02-06T20:00:00Z'))).not.toContainEqual(
      expect.objectContaining({ exDate: '2026-02-09' }),
    );
    expect(market.actions!(parseInstant('2026-02-06T21:00:00Z'))).toContainEqual(
      expect.objectContaining({ symbol: 'QLBR', exDate: '2026-02-09' }),
    );
  });

  it('pay about the yearly yield in four parts', () => {
    const paid = actions.filter(({ symbol, exDate }) => symbol === 'TLCO' && exDate.startsWith('2025'));
    expect(paid.map(({ exDate }) => exDate)).toEqual([
      '2025-02-10',
      '2025-05-12',
      '2025-08-11',
      '2025-11-10',
    ]);
    const sum = paid.reduce((total, { amount }) => total + amount, 0);
    expect(sum / bars('TLCO', '2025-01-02', '2025-01-02')[0]!.close).toBeCloseTo(0.044, 1);
  });
});
