// Bars and snapshots of coins at the stand-in for Alpaca's market data. Every plan has them in real time.
import type { Symbol } from '#units/identifiers.ts';
import { addDays, isoText, parseInstant, utcDate } from '#units/instant.ts';
import { nameOf } from '../orders/instrument-named.ts';
import { coinHours } from './coin-hours.ts';
import { partRows } from '../../market/part-rows.ts';
import { pageOf, partRow, snapshotRow, TIMEFRAMES } from './price-rows.ts';
import type { Get, Settings } from './settings.ts';
import { day, isWithin } from './stock-routes.ts';

export function cryptoRoutes(get: Get, settings: Settings): void {
  const { prices, now } = settings;
  const parts = { ...settings, sessionOn: () => null };
  const coins = new Map<string, Symbol>(
    prices.instruments.filter(({ kind }) => kind === 'crypto').map((one) => [nameOf(one), one.symbol]),
  );
  const asked = (symbols = '') =>
    symbols.split(',').flatMap((name) => {
      const symbol = coins.get(name);
      return symbol === undefined ? [] : [{ name, symbol }];
    });

  get('/v1beta3/crypto/us/bars', (query, reply) => {
    const { timeframe, start = '', end = isoText(now()) } = query;
    const minutes = TIMEFRAMES.get(timeframe ?? '');
    if (timeframe !== '1Hour' && minutes === undefined)
      return reply.code(400).send({ message: 'the stand-in has hours and minutes of coins' });
    const span = { start: parseInstant(start), end: parseInstant(end) };
    const rows = asked(query.symbols).flatMap(({ name, symbol }) =>
      minutes !== undefined
        ? partRows(parts, symbol, { ...span, minutes }).map((row) => ({ symbol: name, row: partRow(row) }))
        : coinHours(prices, symbol, { from: day(start), to: day(end), now: now() })
            .filter(({ t }) => isWithin(parseInstant(t), start, end))
            .map((row) => ({ symbol: name, row })),
    );
    const size = Math.min(Number(query.limit ?? 1_000), settings.pageRows ?? 10_000);
    return pageOf(rows, { token: query.page_token, size });
  });

  get('/v1beta3/crypto/us/snapshots', (query) => {
    const at = now();
    const today = utcDate(at);
    const snapshots: Record<string, unknown> = {};
    for (const { name, symbol } of asked(query.symbols)) {
      const quote = prices.quote(symbol, at);
      if (quote === null) continue;
      const bars = prices.dailyBars(symbol, { from: addDays(today, -3), to: today, asOf: at });
      snapshots[name] = snapshotRow(quote, isoText(at), { bars: bars.slice(-2), kind: 'coin' });
    }
    return { snapshots };
  });
}
