// A strategy that really was committed: instruments and bars in the records, a version, and what publishing needs.
import type { Bar } from '../../src/engine/market/instrument.ts';
import { equityInstrument, instrumentMap, randomSeries } from './engine/random-market.ts';
import { SAMPLE_DEFINITIONS, SAMPLE_SYMBOLS } from './engine/sample-definitions.ts';
import type { StrategyDefinition } from '../../src/engine/strategy/definition.ts';
import { definitionHash } from '../../src/engine/strategy/definition-hash.ts';
import { saveBars } from '#records/market/bars.ts';
import { keepStrategy } from '#records/strategies/catalogue.ts';
import type { Database } from '#records/postgres/database.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import { createBarHistory } from '#trader/market-data/bar-history.ts';
import type { CommittedVersion, ResultTools } from '#results/renew-result.ts';
import { DAY_MS, type Instant, instant, utcDate } from '../../src/units/instant.ts';
import { toMicro } from '../../src/units/money.ts';

const BARS = 700;
const TREND = SAMPLE_DEFINITIONS['trend']!;
const instruments = SAMPLE_SYMBOLS.map((symbol) => equityInstrument(symbol));

/** Stores the instruments with their bars; answers those of the first, whose days are everyone's. */
export async function storeMarket(database: Database): Promise<readonly Bar[]> {
  await saveInstruments(database, instruments, 'sandbox');
  const stored: Bar[][] = [];
  for (const [i, { symbol }] of instruments.entries()) {
    const series = randomSeries({ symbol, seed: 7 + i, bars: BARS });
    const bars = Array.from(
      series.closedAt,
      (closedAt, row): Bar => ({
        openedAt: instant(closedAt - DAY_MS),
        closedAt: instant(closedAt),
        date: utcDate(instant(closedAt - 1)),
        open: series.open[row]!,
        high: series.high[row]!,
        low: series.low[row]!,
        close: series.close[row]!,
        volume: series.volume[row]!,
      }),
    );
    await saveBars(database, { symbol, interval: '1d', source: 'sandbox' }, bars);
    stored.push(bars);
  }
  return stored[0]!;
}

export async function commitStrategy(
  database: Database,
  {
    slug,
    committedAt,
    definition = TREND,
  }: { readonly slug: string; readonly committedAt: Instant; readonly definition?: StrategyDefinition },
): Promise<CommittedVersion> {
  const version = await keepStrategy(
    database,
    {
      slug,
      name: slug,
      shortDescription: 'short',
      description: 'long',
      kind: 'equity',
      strategyType: 'trend_following',
      market: 'us',
      isFeatured: false,
      minInvestment: toMicro(5_000),
    },
    { definition, definitionHash: definitionHash(definition), committedAt },
  );
  return { ...version, definition };
}

export function resultTools(database: Database, now: Instant): ResultTools {
  const known = instrumentMap(...instruments);
  return {
    database,
    history: createBarHistory(database, 'sandbox'),
    parts: (interval) => createBarHistory(database, 'sandbox', { interval, instruments: known }),
    source: 'sandbox',
    instruments: known,
    models: { score: () => Promise.reject(new Error('this strategy has no model')) },
    now,
    engine: 'this engine',
    feePercent: 30,
  };
}
