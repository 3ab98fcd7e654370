// A backtest is evaluate + step + the simulated venue: decided at a close, filled at the next open, within the collar,
// net of commission and slippage. Pure: the same input gives the same result bit for bit, wherever it runs.
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { type Micro, micro } from '#units/money.ts';
import type { BarSeries } from './market/bar-series.ts';
import type { TradingCosts } from './market/costs.ts';
import type { Instrument } from './market/instrument.ts';
import { KIND_RULES } from './market/kinds/rules-of.ts';
import { type ScoreColumns, scoredFrom } from './model/score-columns.ts';
import type { Fill, RefusalCode } from './order/order.ts';
import { openPortfolio } from './portfolio/apply-fill.ts';
import type { ClosedTrade } from './portfolio/closed-trades.ts';
import { valuePortfolio } from './portfolio/value.ts';
import type { Limits } from './risk/limits.ts';
import type { DeploymentState, Notice, TradingTerms } from './step.ts';
import { backtestByColumns, type RowRange } from './columns/backtest-by-columns.ts';
import { type CompiledDefinition, compileDefinition } from './strategy/compile-definition.ts';
import type { StrategyDefinition } from './strategy/definition.ts';
import { Replay } from './replay.ts';

export type BacktestInput = {
  readonly definition: StrategyDefinition;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  /** Closed bars, raw, of every symbol that the definition reads or whose contracts it trades; oldest first. */
  readonly series: ReadonlyMap<Symbol, BarSeries>;
  readonly settings: BacktestSettings;
  /** Where the definition has a model: its score of each bar, none from a model that had seen what came after. */
  readonly scores?: ScoreColumns;
};

export type BacktestSettings = {
  readonly initialCash: Micro;
  readonly costs: TradingCosts;
  /** All zero is no limits. */
  readonly limits: Limits;
  /** See TradingTerms. */
  readonly collar: number;
  readonly noTradeBand: number;
  /** next_open (default): decided at a close, filled in the next bar. same_close: filled at the close decided at. */
  readonly fill?: 'next_open' | 'same_close';
  /**
   * Trading begins and ends here; bars before `from` still feed the features. With a model it never begins before the
   * model's first window: there is no result but out of sample.
   */
  readonly from?: Instant;
  readonly to?: Instant;
};

export type BacktestResult = {
  /** Instants (UTC ms) of the closes; equity, cash and exposure are of the same moments. */
  readonly timeline: Float64Array;
  /** In Micro. */
  readonly equity: Float64Array;
  readonly cash: Float64Array;
  /** Sum of the sizes of all positions, in Micro. */
  readonly exposure: Float64Array;
  readonly fills: readonly BacktestFill[];
  readonly trades: readonly ClosedTrade[];
  /** How many fills and trades there are: a run by columns lists them only when they are asked for. */
  readonly counts: { readonly fills: number; readonly trades: number };
  readonly notices: readonly { readonly at: Instant; readonly notice: Notice }[];
  readonly refusals: { readonly [Code in RefusalCode]?: number };
  readonly finalEquity: Micro;
};

/** Dated by the close of the bar that it filled in. */
export type BacktestFill = Omit<Fill, 'clientOrderId'>;

export function backtest(input: BacktestInput): BacktestResult {
  const { definition, settings } = input;
  const compiled = compileDefinition(definition, input.series, input.scores);
  const { timeline } = compiled.table;
  const first = firstRow(
    timeline,
    Math.max(settings.from ?? Number.NEGATIVE_INFINITY, scoredFrom(definition)),
  );
  const end = firstRow(timeline, (settings.to ?? Number.POSITIVE_INFINITY) + 1);
  const byColumns = hasQuietNights(input) ? backtestByColumns(input, compiled, { first, end }) : null;
  return byColumns ?? backtestByEvents(input, compiled, { first, end });
}

/** The meaning of a backtest: one event after the other through step. */
export function backtestByEvents(
  input: BacktestInput,
  { table, prepared }: CompiledDefinition,
  { first, end }: RowRange,
): BacktestResult {
  const { settings } = input;
  const { timeline } = table;
  const rows = Math.max(0, end - first);
  const equity = new Float64Array(rows);
  const cash = new Float64Array(rows);
  const exposure = new Float64Array(rows);
  const { series } = input;
  // Options are listed as they are chosen.
  const listed = new Map(input.instruments);
  const terms = { ...termsOf(input), instruments: listed };
  const replay = new Replay(initialState(input), { terms, settings, prepared, series, listed });

  let line = -1;
  while (line + 1 < table.count && table.rows[line + 1]! < first) line++;
  for (let t = first; t < end; t++) {
    replay.openRow(t);
    replay.closeRow(t);
    const isNew = line + 1 < table.count && table.rows[line + 1] === t;
    if (isNew) line++;
    // A strategy that already holds something at the start is joined as it stands.
    if (isNew || (t === first && line >= 0) || (line >= 0 && replay.rolls(t))) replay.follow(table, line, t);
    const { portfolio, marks } = replay.state;
    const value = valuePortfolio(portfolio, marks, listed);
    equity[t - first] = value.equity;
    cash[t - first] = portfolio.cash;
    exposure[t - first] = value.grossNotional;
  }
  return {
    timeline: timeline.slice(first, end),
    equity,
    cash,
    exposure,
    fills: replay.fills,
    trades: replay.book.closed,
    counts: { fills: replay.fills.length, trades: replay.book.closed.length },
    notices: replay.notices,
    refusals: Object.fromEntries(replay.refusals),
    finalEquity: rows === 0 ? settings.initialCash : micro(equity[rows - 1]!),
  };
}

/** Whether nothing ever happens to a holding between two sessions. */
function hasQuietNights({ definition, instruments, series }: BacktestInput): boolean {
  if (definition.options !== undefined) return false;
  return definition.universe.every((symbol) => {
    const kind = instruments.get(symbol)?.kind ?? 'equity';
    if (kind === 'equity') return !series.get(symbol)?.actions?.length;
    return KIND_RULES[kind].overnight === null;
  });
}

function initialState({ definition, settings }: BacktestInput): DeploymentState {
  return {
    deploymentId: 'backtest' as DeploymentId,
    permission: 'full',
    allowsShort: definition.direction === 'long_short',
    limits: settings.limits,
    portfolio: openPortfolio(settings.initialCash),
    marks: new Map(),
    peakEquity: settings.initialCash,
    frozenAt: null,
    stoppedOut: new Map(),
    working: [],
    target: null,
    attempts: new Map(),
  };
}

function termsOf({ instruments, settings }: BacktestInput): TradingTerms {
  const { costs, collar, noTradeBand } = settings;
  return { instruments, costs, collar, noTradeBand };
}

function firstRow(timeline: Float64Array, from: number): number {
  let row = 0;
  while (row < timeline.length && timeline[row]! < from) row++;
  return row;
}
