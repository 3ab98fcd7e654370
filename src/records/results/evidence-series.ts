// The bars behind a stored result, as the records have them now: the hashes show whether one was changed
// since.
import type { PassportSeries } from '#engine/evidence/passport.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { BarScores, BarsRead } from './backtests.ts';
import { listFirstBars } from '../market/bars.ts';
import { actionsUntil } from '#engine/market/corporate-action.ts';
import { listCorporateActions } from '../market/corporate-actions.ts';
import type { Database } from '../postgres/database.ts';
import { findInstrument } from '../market/instruments.ts';

/** By symbol. Throws when an instrument is gone. */
export async function* listEvidenceSeries(
  database: Database,
  { source, counts }: BarsRead,
  scores: BarScores | null,
): AsyncGenerator<PassportSeries> {
  for (const symbol of Object.keys(counts).sort() as Symbol[]) {
    const instrument = await findInstrument(database, symbol);
    if (instrument === null) throw new Error(`the instrument ${symbol} of a stored result is gone`);
    const bars = await listFirstBars(database, { symbol, interval: '1d', source }, counts[symbol] ?? 0);
    const column = (pick: (bar: Bar) => number) => bars.map(pick);
    const scored = scores?.[symbol];
    const actions = actionsUntil(await listCorporateActions(database, symbol), bars.at(-1)?.date);
    yield {
      instrument,
      interval: '1d',
      closed_at: column((bar) => bar.closedAt),
      open: column((bar) => bar.open),
      high: column((bar) => bar.high),
      low: column((bar) => bar.low),
      close: column((bar) => bar.close),
      volume: column((bar) => bar.volume),
      ...(actions.length === 0 ? {} : { actions }),
      ...(scored === undefined ? {} : { scores: scored }),
    };
  }
}
