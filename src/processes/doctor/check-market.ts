// What a market feed answers now, judged: its clock, its instruments, their prices and their newest bars.
import { NO_EXCEPTIONS } from '#engine/market/calendar-exceptions.ts';
import { hasOwnBars, missingBars } from '#engine/market-data/missing-bars.ts';
import { quotedSymbols } from '#engine/market-data/accept-quotes.ts';
import { isPriceTooOld, marketSpeed } from '#engine/market/kinds/price-age.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { MarketClock, MarketDataFeed } from '#ports/market-data.ts';
import { addDays, isoText } from '#units/instant.ts';

export type Finding = { readonly subject: string; readonly isFit: boolean; readonly detail: string };

export async function checkMarket(feed: MarketDataFeed): Promise<readonly Finding[]> {
  const clock = await feed.clock();
  if (!clock.ok) return [unfit('clock', clock.message)];
  const instruments = await feed.instruments();
  const timed = { subject: 'clock', isFit: true, detail: `${isoText(clock.value.now)} on the market` };
  if (!instruments.ok) return [timed, unfit('instruments', instruments.message)];
  const listed = { subject: 'instruments', isFit: true, detail: `${instruments.value.length} listed` };
  return [
    timed,
    listed,
    await checkPrices(feed, clock.value, instruments.value),
    await checkBars(feed, clock.value, instruments.value),
  ];
}

async function checkPrices(
  feed: MarketDataFeed,
  { now, daySeconds }: MarketClock,
  instruments: readonly Instrument[],
): Promise<Finding> {
  const asked = quotedSymbols(instruments, now);
  const quotes = await feed.quotes(asked);
  if (!quotes.ok) return unfit('prices', quotes.message);
  const found = new Map(instruments.map((one) => [one.symbol, one]));
  const speed = marketSpeed(daySeconds);
  const late = quotes.value.filter(({ symbol, at }) => {
    const instrument = found.get(symbol);
    return instrument !== undefined && isPriceTooOld({ instrument, pricedAt: at, now, speed });
  });
  const priced = new Set(quotes.value.map(({ symbol }) => symbol));
  const missing = asked.filter((symbol) => !priced.has(symbol));
  if (missing.length > 0) return unfit('prices', `none of ${missing.join(', ')}`);
  if (late.length > 0)
    return unfit(
      'prices',
      `too old while the market is open: ${late.map(({ symbol }) => symbol).join(', ')}`,
    );
  return { subject: 'prices', isFit: true, detail: `${priced.size} of ${asked.length}` };
}

/** The bars of two weeks up to the last session that has closed. The newest one may come some time after the close. */
async function checkBars(
  feed: MarketDataFeed,
  { now }: MarketClock,
  instruments: readonly Instrument[],
): Promise<Finding> {
  const faults: string[] = [];
  const barred = instruments.filter(({ expiry }) => expiry === null).filter(hasOwnBars);
  for (const instrument of barred) {
    const { symbol } = instrument;
    const range = missingBars(instrument, null, { now, exceptions: NO_EXCEPTIONS });
    if (range === null) continue;
    const answer = await feed.dailyBars(symbol, addDays(range.to, -DAYS), range.to);
    if (!answer.ok) return unfit('bars', answer.message);
    if (answer.value.malformed !== null) faults.push(`${symbol}: ${answer.value.malformed}`);
    else if (answer.value.bars.length === 0) faults.push(`${symbol}: none in two weeks`);
  }
  if (faults.length > 0) return unfit('bars', faults.join('; '));
  return { subject: 'bars', isFit: true, detail: `of ${barred.length} instruments` };
}

function unfit(subject: string, detail: string): Finding {
  return { subject, isFit: false, detail };
}

const DAYS = 14;
