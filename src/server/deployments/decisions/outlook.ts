// What a strategy version would decide at its next close if prices stayed as they are: computed once for all who look at it
// within a minute.
import type { CalendarId, Instrument, Marks } from '#engine/market/instrument.ts';
import type { Session } from '#engine/market/calendar.ts';
import type { TargetWeight } from '#engine/event.ts';
import { asTraded } from '#engine/strategy/as-traded.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { Target } from '#engine/strategy/evaluate.ts';
import { symbolsRead } from '#engine/strategy/feature-column.ts';
import { likelyTarget, nextDecisionSession } from '#engine/strategy/next-close.ts';
import { readSeries } from '#records/market/read-series.ts';
import { getVersions } from '#records/strategies/traded-versions.ts';
import type { StrategyVersionId, Symbol } from '#units/identifiers.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { storedDefinition } from './reasons-by-symbol.ts';

/** `known`: true, or why it is not known before the close. */
export type Outlook =
  | { readonly known: 'model' | 'prices' | 'far'; readonly session: Session | null }
  | {
      readonly known: true;
      readonly session: Session;
      readonly target: Target;
      readonly weights: readonly TargetWeight[];
      readonly prices: Marks;
      readonly asOf: Instant;
      readonly allowsShort: boolean;
      readonly calendar: CalendarId;
      readonly definition: StrategyDefinition;
    };

type Present = { readonly now: Instant; readonly instruments: ReadonlyMap<Symbol, Instrument> };
type Kept = { readonly outlook: Promise<Outlook>; readonly until: number };

const kept = new Map<StrategyVersionId, Kept>();

export async function findOutlook(
  version: StrategyVersionId,
  present: Present,
  dependencies: Dependencies,
): Promise<Outlook> {
  const known = kept.get(version);
  if (known !== undefined && Date.now() < known.until) {
    const { session } = await known.outlook;
    // A market's day may last seconds: what was next may have been decided.
    if (session === null || present.now < session.closesAt) return known.outlook;
  }
  const outlook = lookAhead(version, present, dependencies);
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(version, { outlook, until: Date.now() + MINUTE_MS });
  outlook.catch(() => kept.delete(version));
  return outlook;
}

const KEPT_MAX = 200;

async function lookAhead(
  version: StrategyVersionId,
  { now, instruments }: Present,
  { records: { database }, marketData }: Dependencies,
): Promise<Outlook> {
  const [record] = await getVersions(database, [version]);
  if (record === undefined) throw new Error(`no strategy version ${version}`);
  const definition = storedDefinition(record.definition);
  const symbols = symbolsRead(definition);
  const calendar = instruments.get(definition.universe[0]!)?.calendar;
  if (calendar === undefined) return { known: 'prices', session: null };
  const series = new Map<Symbol, Awaited<ReturnType<typeof readSeries>>>();
  const { interval } = definition;
  for (const symbol of symbols) series.set(symbol, await readSeries(database, { symbol, interval }, now));
  const session = nextDecisionSession(definition, series, calendar, now);
  if (session === null) return { known: 'far', session };
  // The model runs in the trader, at the close.
  if (definition.model !== undefined || definition.rule.type === 'decider')
    return { known: 'model', session };
  const quotes = await marketData.quotes(symbols);
  const prices = new Map<Symbol, number>();
  if (quotes.ok)
    for (const { symbol, last, halt } of quotes.value) if (last > 0 && !halt) prices.set(symbol, last);
  const isComplete = symbols.every((symbol) => prices.has(symbol) && series.get(symbol)!.length > 0);
  if (!isComplete) return { known: 'prices', session };
  const target = likelyTarget(definition, { series, prices }, session);
  const weights = asTraded(target.weights, session.date, instruments);
  const traded = weights.map(({ symbol }) => symbol).filter((symbol) => !prices.has(symbol));
  const more = traded.length === 0 ? null : await marketData.quotes(traded);
  if (more?.ok) for (const { symbol, last } of more.value) if (last > 0) prices.set(symbol, last);
  if (!traded.every((symbol) => prices.has(symbol))) return { known: 'prices', session };
  const allowsShort = definition.direction === 'long_short';
  return { known: true, session, target, weights, prices, asOf: now, allowsShort, calendar, definition };
}
