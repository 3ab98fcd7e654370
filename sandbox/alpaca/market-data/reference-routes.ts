// What the stand-in for Alpaca says about instruments, days and time.
import { newYorkInstant } from '#engine/market/calendar-new-york-time.ts';
import { nextSession, type Session, sessionAt } from '#engine/market/calendar.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { addDays, type Instant, isoText, MINUTE_MS } from '#units/instant.ts';
import { fromQuantity } from '#units/quantity.ts';
import { nameOf } from '../orders/instrument-named.ts';
import { type Get, sessionOn, type Settings } from './settings.ts';
import { day } from './stock-routes.ts';

export function referenceRoutes(get: Get, settings: Settings): void {
  const { prices, now, terms } = settings;

  get('/v2/assets/:symbol', (_query, reply, request) => {
    const { symbol } = request.params as { symbol: string };
    const found = prices.instruments.find((one) => nameOf(one) === symbol);
    if (found === undefined)
      return reply.code(404).send({ code: 40_410_000, message: `asset not found for ${symbol}` });
    return { ...assetRow(found), ...terms?.get(symbol) };
  });

  get('/v2/calendar', (query) => {
    const days = [];
    for (let date = day(query.start ?? '2026-01-01'); date <= (query.end ?? ''); date = addDays(date, 1)) {
      const found = sessionOn(date, settings);
      if (found !== null) days.push(calendarRow(found));
    }
    return days;
  });

  get('/v2/clock', () => {
    const at = now();
    const usual = sessionAt('us-equity', at);
    const today = usual === null ? null : sessionOn(usual.date, settings);
    const current = today !== null && at < today.closesAt ? today : null;
    let next = nextSession('us-equity', at);
    for (; sessionOn(next.date, settings) === null; next = nextSession('us-equity', next.opensAt));
    const coming = sessionOn(next.date, settings) ?? next;
    return {
      timestamp: isoText(at),
      is_open: current !== null,
      next_open: isoText(coming.opensAt),
      next_close: isoText((current ?? coming).closesAt),
    };
  });
}

function assetRow(instrument: Instrument) {
  const { name, kind, quantityStep, priceDecimals } = instrument;
  const isShare = kind === 'equity';
  return {
    id: '904837e3-3b76-47ec-b432-046db621571b',
    class: isShare ? 'us_equity' : 'crypto',
    exchange: isShare ? 'NYSE' : 'CRYPTO',
    symbol: nameOf(instrument),
    name,
    status: 'active',
    tradable: true,
    marginable: isShare,
    shortable: isShare,
    easy_to_borrow: isShare,
    fractionable: true,
    ...(isShare
      ? {}
      : {
          min_order_size: String(fromQuantity(quantityStep)),
          min_trade_increment: '0.000000001',
          price_increment: String(10 ** -priceDecimals),
        }),
  };
}

function calendarRow({ date, opensAt, closesAt }: Session) {
  const clock = (at: Instant) => {
    const minutes = (at - newYorkInstant(date, 0)) / MINUTE_MS;
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  };
  return {
    date,
    open: clock(opensAt),
    close: clock(closesAt),
    session_open: '0400',
    session_close: '2000',
    settlement_date: addDays(date, 1),
  };
}
