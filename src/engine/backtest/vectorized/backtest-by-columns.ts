// A backtest as one pass over columns: between two fills the holdings stand still, so whole stretches are marked at
// once. Bit for bit the result of the backtest by events, for the backtests that columnMarket lets through.
import { micro } from '#units/money.ts';
import type { BacktestResult } from '../result.ts';
import type { BacktestInput, RowRange } from '../settings.ts';
import type { CompiledDefinition } from '../../strategy/compile-definition.ts';
import { ColumnDesk } from './column-desk.ts';
import { ColumnFills } from './column-fills.ts';
import { ColumnHoldings } from './column-holdings.ts';
import { columnMarket } from './column-market.ts';

/** Null when this backtest must run by events. */
export function backtestByColumns(
  input: BacktestInput,
  { prepared, table }: CompiledDefinition,
  { first, end }: RowRange,
): BacktestResult | null {
  const market = columnMarket(input, prepared);
  if (market === null) return null;
  const { settings } = input;
  const rows = Math.max(0, end - first);
  const columns = {
    equity: new Float64Array(rows),
    cash: new Float64Array(rows),
    exposure: new Float64Array(rows),
    first,
  };
  const holdings = new ColumnHoldings(market, settings.initialCash);
  const fills = new ColumnFills(market.instruments, table.timeline);
  const desk = new ColumnDesk(market, holdings, fills);
  const { width } = market;
  let line = 0;
  while (line < table.count && table.rows[line]! < first) line++;
  // A strategy that already holds something at the start is joined as it stands.
  if (line > 0 && table.rows[line] !== first) line--;
  let marked = first;
  for (; line < table.count; line++) {
    const row = Math.max(first, table.rows[line]!);
    if (row >= end) break;
    holdings.mark(columns, marked, row);
    marked = Math.max(marked, row);
    if (!desk.isIdle) desk.match(row, 'open');
    desk.follow(table.weights.subarray(line * width, (line + 1) * width), row);
    if (settings.fill === 'same_close') desk.match(row, 'close');
    holdings.mark(columns, marked, row + 1);
    marked = row + 1;
    const next = line + 1 < table.count ? table.rows[line + 1]! : end;
    if (!desk.isIdle && row + 1 < end && next > row + 1) desk.match(row + 1, 'open');
  }
  holdings.mark(columns, marked, end);
  if (holdings.spoilt) return null;
  return {
    timeline: table.timeline.slice(first, end),
    equity: columns.equity,
    cash: columns.cash,
    exposure: columns.exposure,
    get fills() {
      return fills.fills();
    },
    get trades() {
      return fills.trades();
    },
    counts: { fills: fills.count, trades: fills.closed },
    notices: [],
    refusals: Object.fromEntries(desk.refusals),
    finalEquity: rows === 0 ? settings.initialCash : micro(columns.equity[rows - 1]!),
  };
}
