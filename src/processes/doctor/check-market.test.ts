import { afterEach, expect, test } from 'vitest';
import { FEEDS } from '../../../tests/conformance/market-data/feed-columns.ts';
import type { FeedHarness } from '../../../tests/conformance/market-data/feed-case.ts';
import type { Bar } from '#engine/market/instrument.ts';
import { instant, type IsoDate } from '#units/instant.ts';
import { checkMarket } from './check-market.ts';

const alpaca = FEEDS.find(({ mode }) => mode === 'live')!;
let harness: (FeedHarness & { close(): Promise<void> }) | null = null;
afterEach(() => harness?.close());

async function findings(prepare: (opened: FeedHarness) => void) {
  harness = await alpaca.open();
  prepare(harness);
  const found = await checkMarket(harness.feed);
  return found.map(({ subject, isFit, detail }) => `${isFit ? 'ok' : 'NOT OK'} ${subject}: ${detail}`);
}

test('a market that answers is fit in every respect', async () => {
  const found = await findings(() => undefined);
  expect(found[0]).toBe(
    'ok clock: 2026-11-23T16:00:00.000Z on the market; this machine is 0.000 seconds ahead, of 2 allowed',
  );
  expect(found.map((line) => line.split(':')[0])).toEqual([
    'ok clock',
    'ok instruments',
    'ok prices',
    'ok bars',
  ]);
});

test('wrong keys are named, and nothing further is asked', async () => {
  const refused = { status: 403, text: '{"message":"forbidden."}' };
  expect(await findings(({ answerWith }) => answerWith(refused))).toEqual([
    'NOT OK clock: the vendor refuses APCA_API_KEY_ID and APCA_API_SECRET_KEY: forbidden; copy again from the vendor what it refuses',
  ]);
});

test('a bar that cannot be read is named with its share', async () => {
  const found = await findings(({ spoilRow }) => spoilRow('2026-11-18' as IsoDate));
  expect(found.at(-1)).toMatch(/^NOT OK bars: .*TLCO: .*at c/s);
});

test('prices that are missing or late are named', async () => {
  harness = await alpaca.open();
  const { feed, share } = harness;
  const late = await feed.quotes([share]);
  const only = { ...feed, quotes: () => Promise.resolve(late) };
  const [, , missing] = await checkMarket(only);
  expect(missing).toMatchObject({
    subject: 'prices',
    isFit: false,
    detail: expect.stringContaining('none of'),
  });
  const instruments = await feed.instruments();
  if (!late.ok || !instruments.ok) throw new Error('the stand-in does not answer');
  const old = late.value.map((quote) => ({ ...quote, at: (quote.at - 61_000) as typeof quote.at }));
  const [, , aged] = await checkMarket({
    ...feed,
    instruments: () =>
      Promise.resolve({ ok: true, value: instruments.value.filter(({ symbol }) => symbol === share) }),
    quotes: () => Promise.resolve({ ok: true, value: old }),
  });
  expect(aged).toMatchObject({ isFit: false, detail: `too old while the market is open: ${share}` });
});

test('prices that are delayed by the plan of the feed are fit, and said to be delayed', async () => {
  harness = await alpaca.open();
  const { feed } = harness;
  const [clock, quotes] = [await feed.clock(), await feed.quotes([harness.share])];
  const instruments = await feed.instruments();
  if (!clock.ok || !quotes.ok || !instruments.ok) throw new Error('the stand-in does not answer');
  const delayMs = 900_000;
  const value = quotes.value.map((quote) => ({ ...quote, delayMs, at: instant(quote.at - delayMs) }));
  const shown = instruments.value.filter(({ symbol }) => symbol === harness!.share);
  const [, , prices] = await checkMarket({
    ...feed,
    clock: async () => ({ ok: true, value: { ...clock.value, delayMs } }),
    instruments: async () => ({ ok: true, value: shown }),
    quotes: async () => ({ ok: true, value }),
  });
  expect(prices).toMatchObject({ isFit: true, detail: '1 of 1, those of shares delayed by 15 minutes' });
});

const PLAN = alpaca.refusals?.plan;

test.each([
  [
    'a clock that is off by more than two seconds',
    ({ skewClock }: FeedHarness) => skewClock(2_500),
    /^NOT OK clock: the clock of this machine says .* Ours is 2\.5 seconds behind, and two are the limit: switch on the machine’s time synchronisation \(NTP\)$/,
  ],
  [
    'a feed that the plan lacks',
    ({ answerWith }: FeedHarness) => answerWith(PLAN ?? null),
    /^NOT OK clock: the plan of these keys lacks the feed \(ALPACA_FEED\)/,
  ],
] as const)('%s is named with the way out, and nothing further is asked', async (_what, prepare, said) => {
  const found = await findings(prepare);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(said);
});

test('a symbol that the vendor does not know is named with its setting', async () => {
  harness = await alpaca.open();
  const unknown = { status: 404, text: '{"code":40410000,"message":"asset not found for NOBODY"}' };
  const { feed, answerWith } = harness;
  const clock = await feed.clock();
  answerWith(unknown);
  const found = await checkMarket({ ...feed, clock: async () => clock });
  expect(found.at(-1)).toMatchObject({ subject: 'instruments', isFit: false });
  expect(found.at(-1)?.detail).toContain('correct MARKET_SYMBOLS');
});

/** What is found of the bars when those of one share are changed. */
async function ofBars(change: (bars: readonly Bar[]) => readonly Bar[]) {
  harness = await alpaca.open();
  const { feed, share } = harness;
  const dailyBars: typeof feed.dailyBars = async (symbol, from, to) => {
    const answer = await feed.dailyBars(symbol, from, to);
    if (!answer.ok || symbol !== share) return answer;
    return { ok: true, value: { ...answer.value, bars: change(answer.value.bars) } };
  };
  return { share, found: (await checkMarket({ ...feed, dailyBars })).at(-1) };
}

test('a history that ends early is named with its symbol and its last day', async () => {
  const { share, found } = await ofBars((bars) => bars.slice(0, -4));
  expect(found).toMatchObject({ subject: 'bars', isFit: false });
  expect(found?.detail).toMatch(
    new RegExp(
      `^${share}: they end on 2026-11-1\\d, and sessions until 2026-11-20 have closed\\. .*MARKET_SYMBOLS`,
    ),
  );
  const { found: almost } = await ofBars((bars) => bars.slice(0, -1));
  expect(almost).toMatchObject({ isFit: true });
});

test('a bar that contradicts its neighbours is named with its symbol and its day', async () => {
  const { share, found } = await ofBars((bars) =>
    bars.map((bar, index) => (index === 3 ? { ...bar, high: bar.high * 100, close: bar.close * 90 } : bar)),
  );
  expect(found).toMatchObject({ subject: 'bars', isFit: false });
  expect(found?.detail).toMatch(
    new RegExp(`^${share}: the bar of 2026-11-\\d\\d is refused: .*MARKET_SYMBOLS`),
  );
});

test('what a renamed share is called now is said, also where its old name is gone', async () => {
  harness = await alpaca.open();
  const { feed, share, skewClock } = harness;
  skewClock(-1_500);
  const rename = { symbol: share, event: 'rename', date: '2026-11-20' as IsoDate, ticker: 'NEWT' } as const;
  const changes = async () => ({ ok: true, value: [rename] }) as const;
  const renamed = { ...feed, vendors: [{ ...feed.vendors![0]!, changes }] };
  const [clock, instruments] = await checkMarket(renamed);
  expect(clock?.detail).toContain('this machine is 1.500 seconds ahead');
  expect(instruments?.detail).toMatch(new RegExp(`listed. ${share} is called NEWT since 2026-11-20$`));
  const lost = async () => ({ ok: false, code: 'unknown_symbol', message: `no ${share}` }) as const;
  const [, unknown] = await checkMarket({ ...renamed, instruments: lost });
  expect(unknown?.detail).toBe(`no ${share}. ${share} is called NEWT since 2026-11-20`);
});
