import { expect } from 'vitest';
import { combinedFeed } from '#adapters/market-data/combined-feed.ts';
import { failure } from '#adapters/market-data/read-answer.ts';
import { hours } from '#engine/market/calendar.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { HOUR_MS, instant, type IsoDate, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import { valueOf } from './bar-cases.ts';
import { codeOf, failsByCode } from './fails-by-code.ts';
import type { FeedCase, FeedHarness } from './feed-case.ts';

const MONDAY = '2026-11-23' as IsoDate;
const { closesAt: MONDAY_CLOSE } = hours('us-equity', MONDAY);

export const MARKET_CASES: readonly FeedCase[] = [
  {
    number: 'I1',
    requirement: 'every instrument has a symbol of its own, a name, a step and a currency',
    async run({ feed, share, other }) {
      const instruments = valueOf(await feed.instruments());
      const symbols = instruments.map(({ symbol }) => symbol);
      expect(new Set(symbols).size).toBe(symbols.length);
      expect(symbols).toEqual(expect.arrayContaining([share, other]));
      for (const one of instruments) {
        expect(one.name).not.toBe('');
        expect([one.quantityStep > 0, one.multiplier > 0, one.priceDecimals >= 0]).toEqual([
          true,
          true,
          true,
        ]);
      }
    },
  },
  {
    number: 'I2',
    requirement: 'a share is paid in full, in dollars, by the calendar of its exchange',
    async run({ feed, share }) {
      const found = valueOf(await feed.instruments()).find(({ symbol }) => symbol === share);
      expect(found).toMatchObject({
        kind: 'equity',
        currency: 'USD',
        calendar: 'us-equity',
        settlement: 'cash',
        expiry: null,
      });
    },
  },
  {
    number: 'T1',
    requirement: 'the clock is the market’s, says which world it is of, and moves with it',
    async run(harness, { mode }) {
      const before = valueOf(await harness.feed.clock());
      expect(before).toMatchObject({ now: harness.now(), mode, daySeconds: 86_400 });
      await harness.moveTo(instant(harness.now() + 3 * HOUR_MS));
      expect(valueOf(await harness.feed.clock()).now).toBe(before.now + 3 * HOUR_MS);
    },
  },
  {
    number: 'T2',
    requirement: 'only a tape has an end',
    async run({ feed, now }, { mode }) {
      const { endsAt } = valueOf(await feed.clock());
      if (mode === 'replay') expect(endsAt).toBeGreaterThan(now());
      else expect(endsAt).toBeNull();
    },
  },
  {
    number: 'T3',
    requirement: 'a real market’s clock never stands still for the product',
    needs: 'real time',
    async run({ feed }) {
      expect(valueOf(await feed.clock())).toMatchObject({ paused: false, daySeconds: 86_400 });
    },
  },
  {
    number: 'T4',
    requirement: 'with clocks that differ by more than two seconds there is neither time nor price',
    needs: 'real time',
    async run(harness) {
      harness.skewClock(4 * SECOND_MS);
      for (const call of ['clock', 'quotes'] as const)
        expect([call, codeOf(await ask(harness, call))]).toEqual([call, 'clock_off']);
      harness.skewClock(0);
      await harness.moveTo(instant(harness.now() + MINUTE_MS));
      expect(codeOf(await ask(harness, 'quotes'))).toBeNull();
    },
  },
  {
    number: 'Q1',
    requirement: 'there is one quote for each symbol, in the order asked for',
    async run({ feed, share, other }) {
      for (const asked of [[share, other], [other, share], [other], []])
        expect(valueOf(await feed.quotes(asked)).map(({ symbol }) => symbol)).toEqual(asked);
    },
  },
  {
    number: 'Q2',
    requirement: 'in a session a quote is open, not crossed, the market’s own price, and of the last minute',
    async run({ feed, prices, share, now }) {
      const [quote] = valueOf(await feed.quotes([share]));
      expect(quote).toMatchObject({ symbol: share, open: true, last: prices.quote(share, now())?.last });
      expect(quote!.bid).toBeLessThanOrEqual(quote!.ask);
      expect(Math.abs(now() - quote!.at)).toBeLessThanOrEqual(MINUTE_MS);
    },
  },
  {
    number: 'Q3',
    requirement: 'outside of a session a quote is closed and its price is the last one traded',
    async run(harness) {
      await harness.moveTo(instant(MONDAY_CLOSE + HOUR_MS));
      const [quote] = valueOf(await harness.feed.quotes([harness.share]));
      const { bars } = valueOf(await harness.feed.dailyBars(harness.share, MONDAY, MONDAY));
      expect(quote).toMatchObject({ open: false, last: bars[0]?.close });
    },
  },
  {
    number: 'Q4',
    requirement: 'an unknown symbol among quotes is a failure that names it, never a shorter list',
    async run({ feed, share }) {
      expect(await feed.quotes([share, 'NOBODY' as never])).toMatchObject({
        ok: false,
        code: 'unknown_symbol',
        message: expect.stringContaining('NOBODY'),
      });
    },
  },
  {
    number: 'Q5',
    requirement: 'on a day without a session by the vendor’s word a quote is closed',
    needs: 'real time',
    async run(harness) {
      harness.closeOn(MONDAY);
      const [quote] = valueOf(await harness.feed.quotes([harness.share]));
      expect(quote).toMatchObject({ open: false });
    },
  },
  {
    number: 'A1',
    requirement: 'splits and dividends come oldest first, each of an instrument, with an amount above zero',
    needs: 'actions',
    async run({ feed, prices, now }) {
      const actions = valueOf(await feed.corporateActions());
      const days = actions.map(({ exDate }) => exDate);
      expect(days).toEqual(days.toSorted());
      expect(actions.every(({ amount }) => amount > 0)).toBe(true);
      const known = new Set(valueOf(await feed.instruments()).map(({ symbol }) => symbol));
      const wanted = (prices.actions?.(now()) ?? []).filter(({ symbol }) => known.has(symbol));
      const recent = actions.filter(({ exDate }) => exDate >= COMMON_FROM);
      expect(byDay(recent)).toEqual(byDay(wanted.filter(({ exDate }) => exDate >= COMMON_FROM)));
      expect(new Set(actions.map(({ kind }) => kind))).toEqual(new Set(['split', 'dividend']));
    },
  },
  {
    number: 'A2',
    requirement:
      'an action is known on the evening before the first day without the old shares, and not sooner',
    needs: 'actions',
    async run(harness) {
      const isListed = async () =>
        valueOf(await harness.feed.corporateActions()).some(({ exDate }) => exDate === NEXT_EX_DATE);
      expect(await isListed()).toBe(false);
      await harness.moveTo(instant(hours('us-equity', EVE).closesAt + HOUR_MS));
      expect(await isListed()).toBe(true);
    },
  },
  ...(['instruments', 'clock', 'dailyBars', 'corporateActions', 'quotes'] as const).map(
    (call, index): FeedCase => ({
      number: `F${index + 1}`,
      ...((call === 'clock' || call === 'corporateActions') && { needs: 'first' as const }),
      requirement: `${call}: silence, an error of the server, a refusal to answer so often and no JSON are failures with their codes`,
      run: (harness) => failsByCode(harness, [() => ask(harness, call)]),
    }),
  ),
  {
    number: 'P1',
    requirement:
      'behind another feed it needs no time and no corporate actions, and says so when it is asked for them',
    needs: 'second',
    async run({ feed, share }) {
      const first: MarketDataFeed = {
        ...feed,
        corporateActions: () => Promise.resolve({ ok: true, value: [] }),
      };
      const silent = () => Promise.resolve(failure('unreachable', 'it was asked all the same'));
      const second = { ...feed, clock: silent, corporateActions: silent };
      const route = {
        kind: 'equity',
        first: { name: 'First', feed: first },
        second: { name: 'Second', feed: second },
      } as const;
      const both = combinedFeed([route]);
      for (const call of ['instruments', 'clock', 'corporateActions'] as const)
        expect([call, (await both[call]()).ok]).toEqual([call, true]);
      expect(valueOf(await both.quotes([share]))[0]!.check).toMatchObject({ said: null });
      expect(await feed.corporateActions()).toMatchObject({
        code: 'refused',
        message: expect.stringContaining('name another feed first'),
      });
    },
  },
  {
    number: 'F6',
    requirement: 'an answer of another form is malformed, whatever was asked for',
    async run(harness, { has }) {
      harness.answerWith({ status: 200, text: '{"something":"else"}' });
      const clock = has.includes('first') ? (['clock'] as const) : [];
      for (const call of ['instruments', ...clock, 'dailyBars', 'quotes'] as const)
        expect([call, codeOf(await ask(harness, call))]).toEqual([call, 'malformed']);
    },
  },
  {
    number: 'F7',
    requirement: 'after a failure the feed answers again as before',
    async run(harness) {
      harness.answerWith('silence');
      expect(codeOf(await ask(harness, 'quotes'))).toBe('unreachable');
      harness.answerWith(null);
      await harness.moveTo(instant(harness.now() + MINUTE_MS));
      expect(codeOf(await ask(harness, 'quotes'))).toBeNull();
      expect(codeOf(await ask(harness, 'dailyBars'))).toBeNull();
    },
  },
  {
    number: 'K1',
    requirement: 'keys that the vendor refuses are unauthorized, and their settings are named',
    needs: 'keys',
    async run(harness, { refusals }) {
      harness.answerWith(refusals!.keys);
      for (const call of ['instruments', 'clock', 'dailyBars', 'quotes'] as const) {
        const answer = await ask(harness, call);
        expect(answer).toMatchObject({ ok: false, code: 'unauthorized' });
        expect(!answer.ok && answer.message).toContain(refusals!.setting);
      }
    },
  },
  {
    number: 'K2',
    requirement: 'prices that the plan lacks are not subscribed, which is no fault of the keys',
    needs: 'plans',
    async run(harness, { refusals }) {
      harness.answerWith(refusals!.plan);
      expect(await ask(harness, 'clock')).toMatchObject({ ok: false, code: 'not_subscribed' });
    },
  },
  {
    number: 'K3',
    requirement: 'keys that are revoked while the product runs fail at the next look',
    needs: 'keys',
    async run(harness, { refusals }) {
      expect(codeOf(await ask(harness, 'clock'))).toBeNull();
      harness.answerWith(refusals!.keys);
      await harness.moveTo(instant(harness.now() + MINUTE_MS));
      for (const call of ['clock', 'quotes'] as const)
        expect([call, codeOf(await ask(harness, call))]).toEqual([call, 'unauthorized']);
    },
  },
];

/** Some histories begin no sooner. */
const COMMON_FROM = '2016-01-01' as IsoDate;
const EVE = '2027-02-09' as IsoDate;
/** A quarterly dividend of the simulated shares. */
const NEXT_EX_DATE = '2027-02-10' as IsoDate;

type Call = 'instruments' | 'clock' | 'dailyBars' | 'corporateActions' | 'quotes';

function ask({ feed, share }: FeedHarness, call: Call) {
  switch (call) {
    case 'dailyBars':
      return feed.dailyBars(share, '2026-11-02' as IsoDate, '2026-11-06' as IsoDate);
    case 'quotes':
      return feed.quotes([share]);
    default:
      return feed[call]();
  }
}

/** Those of one day come in any order. */
function byDay(actions: readonly { symbol: string; kind: string; exDate: string; amount: number }[]) {
  return actions
    .map(({ symbol, kind, exDate, amount }) => `${exDate} ${symbol} ${kind} ${amount.toFixed(9)}`)
    .toSorted();
}
