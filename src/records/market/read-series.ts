// The daily bars of an instrument as the trader's evaluation reads them: all that closed by then, with the splits and
// dividends of their time.
import { actionsUntil } from '#engine/market/corporate-action.ts';
import { barSeries, type BarSeries } from '#engine/market/bar-series.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { listBars } from './bars.ts';
import { listCorporateActions } from './corporate-actions.ts';
import { findSource } from './instruments.ts';

export async function readSeries(
  database: Kysely<Tables>,
  { symbol }: { readonly symbol: Symbol },
  asOf: Instant,
): Promise<BarSeries> {
  const source = await findSource(database, symbol);
  const bars = source === null ? [] : await listBars(database, { symbol, interval: '1d', source }, { asOf });
  const actions = actionsUntil(await listCorporateActions(database, symbol), bars.at(-1)?.date);
  return { ...barSeries(symbol, '1d', bars), ...(actions.length > 0 && { actions }) };
}
