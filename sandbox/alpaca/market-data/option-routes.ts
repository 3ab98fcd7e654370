// Contracts of options at the stand-in for Alpaca, with their bars and snapshots. Only days have bars.
import { previousSession } from '#engine/market/calendar.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { type OptionContract, parseOption } from '#engine/market/option-contract.ts';
import { isoText } from '#units/instant.ts';
import { instrumentNamed, nameOf } from '../orders/instrument-named.ts';
import { barRow, dayStart, pageOf, snapshotRow } from './price-rows.ts';
import { type Get, type Settings, sessionOn } from './settings.ts';
import { day, isWithin } from './stock-routes.ts';

export function optionRoutes(get: Get, settings: Settings): void {
  const { prices, now, terms } = settings;
  const asked = (symbols = '') =>
    symbols.split(',').flatMap((name) => {
      const instrument = instrumentNamed(prices, name);
      return instrument?.kind === 'options' ? [{ name, symbol: instrument.symbol }] : [];
    });

  get('/v2/options/contracts', (query) => {
    const underlyings = (query.underlying_symbols ?? '').split(',');
    const least = Number(query.strike_price_gte ?? 0);
    const most = Number(query.strike_price_lte ?? Number.POSITIVE_INFINITY);
    const rows = (prices.listedAt?.(now()) ?? prices.instruments).flatMap((instrument) => {
      const option = parseOption(instrument.symbol);
      if (instrument.kind !== 'options' || option?.settlement !== 'shares') return [];
      const { underlying, strike, expiry } = option;
      if (!underlyings.includes(underlying) || strike < least || strike > most) return [];
      if (query.expiration_date !== undefined && query.expiration_date !== expiry) return [];
      return [{ ...contractRow(instrument, option), ...terms?.get(nameOf(instrument)) }];
    });
    const from = Number(query.page_token ?? 0);
    const to = from + Math.min(Number(query.limit ?? 100), settings.pageRows ?? 10_000);
    return {
      option_contracts: rows.slice(from, to),
      next_page_token: to < rows.length ? String(to) : null,
    };
  });

  get('/v1beta1/options/bars', (query, reply) => {
    const { timeframe, start = '', end = isoText(now()) } = query;
    if (timeframe !== '1Day') return reply.code(400).send({ message: 'the stand-in has days of options' });
    const rows = asked(query.symbols).flatMap(({ name, symbol }) =>
      prices
        .dailyBars(symbol, { from: day(start), to: day(end), asOf: now() })
        .filter(({ date }) => sessionOn(date, settings) !== null)
        .filter(({ date }) => isWithin(dayStart(date, 'share'), start, end))
        .map((bar) => ({ symbol: name, row: barRow(bar, 'share') })),
    );
    const size = Math.min(Number(query.limit ?? 1_000), settings.pageRows ?? 10_000);
    return pageOf(rows, { token: query.page_token, size });
  });

  get('/v1beta1/options/snapshots', (query, reply) => {
    const names = asked(query.symbols);
    if (names.length > NAMES_MAX) return reply.code(400).send({ message: 'too many symbols: 100 at most' });
    if (query.feed === 'opra' && settings.plan !== 'subscribed')
      return reply.code(403).send({ message: 'OPRA agreement is not signed' });
    const at = now();
    const before = previousSession('us-equity', at).closesAt;
    const snapshots: Record<string, unknown> = {};
    for (const { name, symbol } of names) {
      const quote = prices.quote(symbol, at);
      if (quote === null) continue;
      const quotedAt = isoText(quote.open ? at : before);
      const { latestQuote } = snapshotRow(quote, quotedAt, { bars: [], kind: 'share' });
      // Contracts trade seldom: the last trade is that of the day before, and the book is of now.
      const last = prices.quote(symbol, before)?.last;
      const latestTrade = { t: isoText(before), p: last, s: 1, x: 'A', c: 'I' };
      snapshots[name] = { latestQuote, ...(last !== undefined && { latestTrade }) };
    }
    return { snapshots, next_page_token: null };
  });
}

function contractRow(
  { name, symbol, ...instrument }: Instrument,
  { underlying, right, strike, expiry, style }: OptionContract,
) {
  return {
    id: `contract-${symbol}`,
    symbol: nameOf({ ...instrument, name, symbol }),
    name,
    status: 'active',
    tradable: true,
    expiration_date: expiry,
    root_symbol: underlying,
    underlying_symbol: underlying,
    underlying_asset_id: '904837e3-3b76-47ec-b432-046db621571b',
    type: right,
    style,
    strike_price: String(strike),
    multiplier: '100',
    size: '100',
    open_interest: null,
    open_interest_date: null,
    close_price: null,
    close_price_date: null,
  };
}

const NAMES_MAX = 100;
