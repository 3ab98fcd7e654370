// The bars behind a stored result, as the records have them now: the hashes show whether one was changed
// since.
import type { PassportSeries } from '#engine/evidence/passport.ts';
import { appendBars, barSeries, type BarSeries } from '#engine/market/bar-series.ts';
import { describedInstrument } from '#engine/market/derivatives/derived-instrument.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { HistorySeries } from '#ports/market-history.ts';
import { historyFaultReason } from '#rules/reasons/history-reason.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type IsoDate } from '#units/instant.ts';
import type { BarScores, BarsRead } from './backtests.ts';
import { listBars, listFirstBars } from '../market/bars.ts';
import type { BarKey } from '../market/bar-key.ts';
import { findKnownAt, listHistoryFiles } from '../market/history-heads.ts';
import { actionsUntil } from '#engine/market/corporate-action.ts';
import { listActionsOf } from '../market/corporate-actions.ts';
import type { Database } from '../postgres/database.ts';
import { findInstruments } from '../market/instruments.ts';

/** By symbol; of contracts that never had a bar nothing is read but what they are, which follows from what they are on. Throws when an
 * instrument is gone. */
export async function* listEvidenceSeries(
  database: Database,
  { source, interval: part, counts, heads = {} }: BarsRead,
  { scores, history }: { readonly scores: BarScores | null; readonly history: HistorySeries },
): AsyncGenerator<PassportSeries> {
  const symbols = Object.keys(counts).sort() as Symbol[];
  const instruments = new Map((await findInstruments(database, symbols)).map((one) => [one.symbol, one]));
  const actionsOf = await listActionsOf(database, symbols);
  for (const symbol of symbols) {
    const instrument = describedInstrument(symbol, instruments);
    if (instrument === null) throw new Error(`the instrument ${symbol} of a stored result is gone`);
    const key = { symbol, interval: part ?? '1d', source } as const;
    const count = counts[symbol] ?? 0;
    const { series, lastDate } =
      count === 0 ? columnsOf(key, []) : await firstBars({ database, history, heads }, key, count);
    const column = (name: 'closedAt' | 'open' | 'high' | 'low' | 'close' | 'volume') =>
      Array.from(series[name]);
    const scored = scores?.[symbol];
    const actions = actionsUntil(actionsOf.get(symbol) ?? [], lastDate ?? undefined);
    yield {
      instrument,
      interval: key.interval,
      closed_at: column('closedAt'),
      open: column('open'),
      high: column('high'),
      low: column('low'),
      close: column('close'),
      volume: column('volume'),
      ...(actions.length === 0 ? {} : { actions }),
      ...(scored === undefined ? {} : { scores: scored }),
    };
  }
}

type Sources = {
  readonly database: Database;
  readonly history: HistorySeries;
  readonly heads: NonNullable<BarsRead['heads']>;
};

type FirstBars = { readonly series: BarSeries; readonly lastDate: IsoDate | null };

/** From the history as it was known when the result was computed, where it was read, and what follows from the records. */
async function firstBars(
  { database, history, heads }: Sources,
  key: BarKey,
  count: number,
): Promise<FirstBars> {
  const { symbol, interval, source } = key;
  // Parts of a session are in the records alone.
  const knownAt = interval === '1d' ? await findKnownAt(database, key, heads) : null;
  if (interval !== '1d' || knownAt === null) return columnsOf(key, await listFirstBars(database, key, count));
  const files = await listHistoryFiles(database, { source, interval, symbols: [symbol] });
  const read = await history({ symbol, interval, source }, files, { knownAt, first: count });
  if (!read.ok) throw new Error(historyFaultReason(read.fault));
  const { series, lastDate } = read.value;
  if (series.length >= count) return read.value;
  const range = lastDate === null ? {} : { from: addDays(lastDate, 1) };
  const newer = (await listBars(database, key, range)).slice(0, count - series.length);
  return { series: appendBars(series, newer), lastDate: newer.at(-1)?.date ?? lastDate };
}

function columnsOf({ symbol, interval }: BarKey, bars: readonly Bar[]): FirstBars {
  return { series: barSeries(symbol, interval, bars), lastDate: bars.at(-1)?.date ?? null };
}
