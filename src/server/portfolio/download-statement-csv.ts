import type { ClosedLot, portfolioEndpoints, Statement } from '#contract/portfolio.ts';
import { notional } from '#units/money.ts';
import { fromMicro } from '#units/money.ts';
import { type IsoDate, isoText, utcDate } from '#units/instant.ts';
import { quantityText } from '#units/quantity.ts';
import { csvLine } from '../answers/csv-line.ts';
import { describeFile } from '../answers/describe-file.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { makeStatement } from './make-statement.ts';
import { showFigures, showLots } from './show-statement.ts';

export const downloadStatementFigures: Call<typeof portfolioEndpoints.downloadStatementFigures> = async (
  { query, caller, reply },
  { records },
) => {
  const made = await makeStatement(records.database, caller.userId, query);
  if (made === null) return notFound();
  const { from, to } = made.days;
  const lineOf = (id: string, name: string, figures: Statement['total']) =>
    csvLine([id, name, from, to, ...FIGURES.map((column) => figures[column])]);
  describeFile(reply, `statement-${from}-to-${to}.csv`);
  return bytes([
    csvLine(['deployment', 'strategy_name', 'from', 'to', ...FIGURES]),
    ...made.deployments.map((one) => lineOf(one.books.id, one.books.strategyName, showFigures(one))),
    lineOf('', 'All', showFigures(made.total)),
  ]);
};

export const downloadStatementLots: Call<typeof portfolioEndpoints.downloadStatementLots> = async (
  { query, caller, reply },
  { records },
) => {
  const made = await makeStatement(records.database, caller.userId, query);
  if (made === null) return notFound();
  describeFile(reply, `tax-lots-${made.days.from}-to-${made.days.to}.csv`);
  return bytes([csvLine(LOT), ...showLots(made).map((lot) => csvLine(LOT.map((column) => lot[column])))]);
};

export const downloadStatementTrades: Call<typeof portfolioEndpoints.downloadStatementTrades> = async (
  { query, caller, reply },
  { records },
) => {
  const made = await makeStatement(records.database, caller.userId, query);
  if (made === null) return notFound();
  const { from, to } = made.days;
  const isWithin = (day: IsoDate) => from <= day && day <= to;
  const trades = made.deployments
    .flatMap(({ books }) => books.fills.map((one) => ({ ...one, books })))
    .filter(({ fill }) => isWithin(utcDate(fill.at)))
    .toSorted((left, right) => left.fill.at - right.fill.at);
  describeFile(reply, `trades-${from}-to-${to}.csv`);
  const lines = trades.map(({ id, books, fill }) => {
    const { symbol, side, quantity, price, commission, at } = fill;
    const instrument = made.instruments.get(symbol);
    const worth = notional(quantity, price, instrument?.multiplier ?? 1);
    return csvLine([
      id,
      isoText(at),
      books.id,
      books.strategyName,
      symbol,
      side,
      quantityText(quantity),
      price,
      instrument?.currency ?? 'USD',
      fromMicro(worth),
      fromMicro(commission),
    ]);
  });
  return bytes([csvLine(TRADE), ...lines]);
};

const FIGURES = [
  'start_value',
  'money_in',
  'money_out',
  'income',
  'financing',
  'realized_gains',
  'unrealized_change',
  'costs',
  'performance_fees',
  'invoiced_apart',
  'corrections',
  'residual',
  'end_value',
] as const satisfies readonly (keyof Statement['total'])[];

const LOT = [
  'strategy_name',
  'ticker',
  'side',
  'quantity',
  'opened_on',
  'closed_on',
  'proceeds',
  'basis',
  'costs',
  'gain',
  'disallowed',
  'taxable_gain',
  'term',
] as const satisfies readonly (keyof ClosedLot)[];

const TRADE = [
  'execution',
  'executed_at',
  'deployment',
  'strategy_name',
  'ticker',
  'side',
  'quantity',
  'price',
  'price_currency',
  'amount',
  'commission',
] as const;

function bytes(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.join(''));
}
