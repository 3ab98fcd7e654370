import { expect } from 'vitest';
import { parseOption } from '#engine/market/option-contract.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant, type IsoDate, MINUTE_MS, parseInstant, SECOND_MS } from '#units/instant.ts';
import { fromQuantity } from '#units/quantity.ts';
import { valueOf } from './bar-cases.ts';
import { failsByCode } from './fails-by-code.ts';
import type { FeedCase, FeedHarness } from './feed-case.ts';

const day = (text: string) => text as IsoDate;

/** Those on the share that the feed lists now. */
async function contractsOf({ feed, share }: Pick<FeedHarness, 'feed' | 'share'>) {
  const listed = valueOf(await feed.instruments());
  return listed.filter(({ symbol }) => parseOption(symbol)?.underlying === share);
}

/** A call of the nearest expiry, as near to the price as any. */
async function nearCall(harness: FeedHarness): Promise<Symbol> {
  const spot = harness.prices.quote(harness.share, harness.now())!.last;
  const calls = (await contractsOf(harness))
    .map(({ symbol }) => parseOption(symbol)!)
    .filter(({ right }) => right === 'call')
    .toSorted(
      (one, other) =>
        one.expiry.localeCompare(other.expiry) || Math.abs(one.strike - spot) - Math.abs(other.strike - spot),
    );
  return calls[0]!.symbol;
}

export const OPTION_CASES: readonly FeedCase[] = [
  {
    number: 'V1',
    requirement:
      'contracts of the next two monthly expiries are listed around the price, each on a hundred shares and paid in full',
    needs: 'options',
    async run(harness) {
      const contracts = await contractsOf(harness);
      const offered = harness.prices.listedAt!(harness.now()).filter(
        ({ symbol }) => parseOption(symbol)?.underlying === harness.share,
      );
      expect(contracts.map(({ symbol }) => symbol).toSorted()).toEqual(
        offered.map(({ symbol }) => symbol).toSorted(),
      );
      expect(new Set(contracts.map(({ expiry }) => expiry))).toEqual(new Set(['2026-12-18', '2027-01-15']));
      for (const contract of contracts) {
        expect(fromQuantity(contract.quantityStep)).toBe(1);
        expect(contract).toMatchObject({
          kind: 'options',
          currency: 'USD',
          multiplier: 100,
          calendar: 'us-equity',
          settlement: 'cash',
          terms: { isTradable: true },
        });
      }
    },
  },
  {
    number: 'V2',
    requirement:
      'in a session a contract has the price of its book, of the last half minute, although it trades seldom',
    needs: 'options',
    async run(harness) {
      const symbol = await nearCall(harness);
      await harness.moveTo(instant(harness.now() + MINUTE_MS));
      const [quote] = valueOf(await harness.feed.quotes([symbol]));
      const { bid, ask } = harness.prices.quote(symbol, harness.now())!;
      expect(quote).toMatchObject({ symbol, bid, ask, open: true });
      expect(quote!.last).toBeCloseTo((bid + ask) / 2, 8);
      expect(harness.now() - quote!.at).toBeLessThanOrEqual(30 * SECOND_MS);
    },
  },
  {
    number: 'V3',
    requirement:
      'contracts and shares are quoted together, in the order asked for; outside of a session they are closed',
    needs: 'options',
    async run(harness) {
      const { feed, share } = harness;
      const symbol = await nearCall(harness);
      for (const asked of [[share, symbol], [symbol, share], [symbol]])
        expect(valueOf(await feed.quotes(asked)).map((one) => one.symbol)).toEqual(asked);
      await harness.moveTo(parseInstant('2026-11-24T03:00:00Z'));
      expect(valueOf(await feed.quotes([symbol]))).toMatchObject([
        { open: false, at: parseInstant('2026-11-23T21:00:00Z') },
      ]);
    },
  },
  {
    number: 'V4',
    requirement: 'the bars of a contract are the market’s days, offered after their close',
    needs: 'options',
    async run(harness) {
      const { feed, prices, now } = harness;
      const symbol = await nearCall(harness);
      const range = { from: day('2026-10-01'), to: day('2026-11-24') };
      const bars = async () => valueOf(await feed.dailyBars(symbol, range.from, range.to)).bars;
      expect(await bars()).toEqual(prices.dailyBars(symbol, { ...range, asOf: now() }));
      expect((await bars()).at(-1)!.date).toBe('2026-11-20');
      await harness.moveTo(parseInstant('2026-11-23T21:30:00Z'));
      expect((await bars()).at(-1)!.date).toBe('2026-11-23');
    },
  },
  {
    number: 'V5',
    requirement: 'of a contract too, silence, errors, refusals and no JSON are failures with their codes',
    needs: 'options',
    async run(harness) {
      const symbol = await nearCall(harness);
      await failsByCode(harness, [
        () => harness.feed.quotes([symbol]),
        () => harness.feed.dailyBars(symbol, day('2026-11-02'), day('2026-11-06')),
      ]);
      harness.answerWith(null);
      await harness.moveTo(instant(harness.now() + 2 * MINUTE_MS));
      expect(valueOf(await harness.feed.quotes([symbol]))).toHaveLength(1);
    },
  },
  {
    number: 'V6',
    requirement: 'a contract on another share is a failure that names it, for prices and for bars',
    needs: 'options',
    async run({ feed, other }) {
      const symbol = `${other}.261218C100` as Symbol;
      for (const answer of [
        await feed.quotes([symbol]),
        await feed.dailyBars(symbol, day('2026-11-02'), day('2026-11-06')),
      ])
        expect(answer).toMatchObject({ ok: false, code: 'unknown_symbol' });
    },
  },
];
