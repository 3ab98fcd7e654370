// Reads what the trader that holds the market has written, for the others: first the targets, then the bars behind them.
// In this order, so that a target is never seen without its bars.
import { hasOwnBars, missingBars } from '#engine/market-data/missing-bars.ts';
import { listBars } from '#records/market/bars.ts';
import type { BarSource } from '#records/market/instruments.ts';
import { newestTargetTimes } from '#records/strategies/targets.ts';
import type { BarHistory } from './bar-history.ts';
import type { TickContext } from '../trading-context.ts';

export async function replicateMarketData(
  context: TickContext,
  history: BarHistory,
  source: BarSource,
): Promise<void> {
  const times = await newestTargetTimes(context.database, [...context.versions.keys()]);
  for (const [version, asOf] of times) {
    if (context.targetCache.latest.get(version)?.newest.asOf !== asOf)
      context.targetCache.forgetLatest(version);
  }
  const instruments = [...context.instruments.values()].filter(hasOwnBars);
  await history.load(
    instruments.map(({ symbol }) => symbol),
    context.now,
  );
  for (const instrument of instruments) {
    const { symbol } = instrument;
    const range = missingBars(instrument, history.lastDate(symbol), context);
    if (range === null) continue;
    const from = range.from === null ? {} : { from: range.from };
    const fresh = await listBars(
      context.database,
      { symbol, interval: '1d', source },
      { ...from, asOf: context.now },
    );
    if (fresh.length > 0) history.append(symbol, fresh);
  }
}
