// The bars of the history as a definition reads them: days, or parts of a session cut from the minutes.
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { CalendarId, Instrument } from '#engine/market/instrument.ts';
import { intradaySeries } from '#engine/market/intraday-series.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import { listHistoryFiles } from '#records/market/history-heads.ts';
import { findInstrument } from '#records/market/instruments.ts';
import { historyFaultReason } from '#rules/reasons/history-reason.ts';
import type { Symbol } from '#units/identifiers.ts';
import { withCommandDatabase } from '../database/command-database.ts';
import { worldDatabase } from '../database/world-database.ts';
import { readEnvironment } from '../environment/environment.ts';
import { historySource, openHistory } from '../wiring/open-history.ts';

export type ReadSeries = { readonly instrument: Instrument; readonly series: BarSeries };

/** What is kept of the bars that a definition reads. */
export function storedInterval({ interval }: StrategyDefinition): '1d' | '1m' {
  return interval === undefined ? '1d' : '1m';
}

export function asRead({ interval }: StrategyDefinition, stored: BarSeries, calendar: CalendarId): BarSeries {
  return interval === undefined ? stored : intradaySeries(stored, { interval, calendar });
}

/** Throws an Error whose message is for the person. */
export function readHistorySeries(
  symbols: readonly Symbol[],
  definition: StrategyDefinition,
): Promise<ReadSeries[]> {
  const environment = readEnvironment();
  const store = openHistory(environment.dataDir);
  const source = historySource(environment.market);
  const interval = storedInterval(definition);
  return withCommandDatabase(
    environment,
    async ({ database }) => {
      const found = await listHistoryFiles(database, { source, interval, symbols });
      const files = Map.groupBy(found, ({ symbol }) => symbol);
      const read: ReadSeries[] = [];
      for (const symbol of symbols) {
        const instrument = await findInstrument(database, symbol);
        const own = files.get(symbol);
        if (instrument === null || own === undefined)
          throw new Error(
            `the history has no ${interval === '1d' ? 'days' : 'minutes'} of ${symbol}: npm run history -- import adds them`,
          );
        const stored = store.series({ source, interval, symbol }, own);
        if (!stored.ok) throw new Error(historyFaultReason(stored.fault));
        const actions = await listCorporateActions(database, symbol);
        const series = { ...stored.value.series, ...(actions.length > 0 && { actions }) };
        read.push({ instrument, series: asRead(definition, series, instrument.calendar) });
      }
      return read;
    },
    worldDatabase(environment),
  );
}
