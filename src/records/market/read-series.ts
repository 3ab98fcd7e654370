// The bars of an instrument as the trader's evaluation reads them: all that closed by then, days or parts of a session, with the
// splits and dividends of their time.
import { actionsUntil } from '#engine/market/corporate-action.ts';
import { barSeries, type BarSeries } from '#engine/market/bar-series.ts';
import type { IntradayInterval } from '#engine/market/instrument.ts';
import { barsPerDay } from '#engine/market/session-parts.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { listBars } from './bars.ts';
import { listCorporateActions } from './corporate-actions.ts';
import { findInstrument, findSource } from './instruments.ts';

export async function readSeries(
  database: Kysely<Tables>,
  { symbol, interval: part }: { readonly symbol: Symbol; readonly interval?: IntradayInterval | undefined },
  asOf: Instant,
): Promise<BarSeries> {
  const interval = part ?? '1d';
  const source = await findSource(database, symbol);
  const bars = source === null ? [] : await listBars(database, { symbol, interval, source }, { asOf });
  const actions = actionsUntil(await listCorporateActions(database, symbol), bars.at(-1)?.date);
  const instrument = part === undefined ? null : await findInstrument(database, symbol);
  return {
    ...barSeries(symbol, interval, bars),
    ...(part !== undefined && instrument !== null && { barsPerDay: barsPerDay(part, instrument.calendar) }),
    ...(actions.length > 0 && { actions }),
  };
}
