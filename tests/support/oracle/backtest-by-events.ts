// The meaning of a backtest: one event after the other through step.
import type { DeploymentId } from '#units/identifiers.ts';
import { micro } from '#units/money.ts';
import type { DeploymentState } from '#engine/deployment-state.ts';
import { openPortfolio } from '#engine/portfolio/apply-fill.ts';
import { valuePortfolio } from '#engine/portfolio/value.ts';
import type { CompiledDefinition } from '#engine/strategy/compile-definition.ts';
import { Replay } from './replay.ts';
import type { BacktestResult } from '#engine/backtest/result.ts';
import type { BacktestInput, RowRange } from '#engine/backtest/settings.ts';

export function backtestByEvents(
  input: BacktestInput,
  { table, prepared }: CompiledDefinition,
  { first, end }: RowRange,
): BacktestResult {
  const { settings } = input;
  const rows = Math.max(0, end - first);
  const equity = new Float64Array(rows);
  const cash = new Float64Array(rows);
  const exposure = new Float64Array(rows);
  const replay = new Replay(initialState(input), input, prepared);
  const { listed } = replay.traded;
  let line = -1;
  while (line + 1 < table.count && table.rows[line + 1]! < first) line++;
  for (let t = first; t < end; t++) {
    const isNew = line + 1 < table.count && table.rows[line + 1] === t;
    if (isNew) line++;
    replay.openRow(t);
    if (isNew) replay.leaveWithin(table, line, t);
    replay.closeRow(t);
    // A strategy that already has positions at the start keeps them.
    if (isNew || (t === first && line >= 0) || (line >= 0 && replay.rolls(t))) replay.follow(table, line, t);
    const { portfolio, marks } = replay.state;
    const value = valuePortfolio(portfolio, marks, listed);
    equity[t - first] = value.equity;
    cash[t - first] = portfolio.cash;
    exposure[t - first] = value.grossNotional;
  }
  return {
    timeline: table.timeline.slice(first, end),
    equity,
    cash,
    exposure,
    fills: replay.fills,
    trades: replay.book.closed,
    income: replay.income,
    counts: { fills: replay.fills.length, trades: replay.book.closed.length },
    notices: replay.notices,
    refusals: Object.fromEntries(replay.refusals),
    finalEquity: rows === 0 ? settings.initialCash : micro(equity[rows - 1]!),
  };
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
