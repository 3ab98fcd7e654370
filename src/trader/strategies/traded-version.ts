import type { CalendarId, Instrument } from '#engine/market/instrument.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { symbolsRead } from '#engine/strategy/feature-column.ts';
import type { IntradayFeed } from '#ports/market-data.ts';
import type { VersionRecord } from '#records/strategies/traded-versions.ts';
import type { StrategyVersionId, Symbol } from '#units/identifiers.ts';

/** A strategy version that is published or deployed, ready to be evaluated. */
export type TradedVersion = {
  readonly id: StrategyVersionId;
  readonly strategyName: string;
  readonly definition: StrategyDefinition;
  readonly definitionHash: string;
  readonly allowsShort: boolean;
  /** The calendar of its universe's first instrument: its closes are when it is evaluated. */
  readonly calendar: CalendarId;
};

/** The version, or why it cannot be traded. */
export function tradedVersion(
  record: VersionRecord,
  instruments: ReadonlyMap<Symbol, Instrument>,
  intraday?: IntradayFeed,
): TradedVersion | Error {
  const parsed = parseDefinition(record.definition);
  if (!parsed.ok) {
    const [first] = parsed.errors;
    return new Error(`its definition does not parse: ${JSON.stringify(first)}`);
  }
  const { definition } = parsed;
  const missing = [...definition.universe, definition.benchmark].filter((symbol) => !instruments.has(symbol));
  if (missing.length > 0) return new Error(`the market does not know ${missing.join(', ')}`);
  const { interval } = definition;
  const read = [...new Set([...symbolsRead(definition), definition.benchmark])];
  const unread = read.filter((symbol) => !isRead(instruments.get(symbol), interval, intraday));
  if (unread.length > 0)
    return new Error(`it reads bars of ${interval}, and the feed has none of ${unread.join(', ')}`);
  const foreign = definition.universe.filter((symbol) => !isInDollars(instruments.get(symbol)!));
  if (foreign.length > 0) {
    const quoted = foreign.map((symbol) => `${symbol} (${instruments.get(symbol)!.currency})`).join(', ');
    return new Error(`only dollar prices and pairs with the dollar can be traded, not ${quoted}`);
  }
  return {
    id: record.id,
    strategyName: record.strategyName,
    definition,
    definitionHash: record.definitionHash,
    allowsShort: definition.direction === 'long_short',
    calendar: instruments.get(definition.universe[0]!)!.calendar,
  };
}

/** Whether the feed has the bars of all that it reads, what it is compared with included. */
export function hasParts(
  definition: StrategyDefinition,
  instruments: ReadonlyMap<Symbol, Instrument>,
  intraday: IntradayFeed,
): boolean {
  const read = [...symbolsRead(definition), definition.benchmark];
  return read.every((symbol) => isRead(instruments.get(symbol), definition.interval, intraday));
}

function isRead(
  instrument: Instrument | undefined,
  interval: StrategyDefinition['interval'],
  intraday: IntradayFeed | undefined,
): boolean {
  if (interval === undefined) return true;
  return instrument !== undefined && intraday?.intervals(instrument.kind).includes(interval) === true;
}

/** Accounts and ledgers are in dollars: a rate that only another instrument provides could be missing when needed. */
function isInDollars({ currency, unitCurrency, settlement }: Instrument): boolean {
  return currency === 'USD' || (unitCurrency === 'USD' && settlement === 'margin');
}
