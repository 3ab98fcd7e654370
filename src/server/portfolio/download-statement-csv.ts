import type { ClosedLot, portfolioEndpoints, Statement } from '#contract/portfolio.ts';
import { fromMicro, notional } from '#units/money.ts';
import { type IsoDate, isoText, utcDate } from '#units/instant.ts';
import { quantityText } from '#units/quantity.ts';
import { csvLine } from '../answers/csv-line.ts';
import { describeFile } from '../answers/describe-file.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { notFound } from '../http/refusal.ts';
import { type MadeStatement, makeStatement } from './make-statement.ts';
import { showFigures, showLots } from './show-statement.ts';

export const downloadStatementFigures: Call<typeof portfolioEndpoints.downloadStatementFigures> = csvOf(
  'statement',
  (made) => {
    const { from, to } = made.days;
    const lineOf = (id: string, name: string, figures: Statement['total']) =>
      csvLine([id, name, from, to, ...FIGURES.map((column) => figures[column])]);
    return [
      csvLine(['deployment', 'strategy_name', 'from', 'to', ...FIGURES]),
      ...made.deployments.map((one) => lineOf(one.books.id, one.books.strategyName, showFigures(one))),
      lineOf('', 'All', showFigures(made.total)),
    ];
  },
);

export const downloadStatementLots: Call<typeof portfolioEndpoints.downloadStatementLots> = csvOf(
  'tax-lots',
  (made) => [csvLine(LOT), ...showLots(made).map((lot) => csvLine(LOT.map((column) => lot[column])))],
);

export const downloadStatementTrades: Call<typeof portfolioEndpoints.downloadStatementTrades> = csvOf(
  'trades',
  (made) => {
    const { from, to } = made.days;
    const isWithin = (day: IsoDate) => from <= day && day <= to;
    const trades = made.deployments
      .flatMap(({ books }) => books.fills.map((one) => ({ ...one, books })))
      .filter(({ fill }) => isWithin(utcDate(fill.at)))
      .toSorted((left, right) => left.fill.at - right.fill.at);
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
    return [csvLine(TRADE), ...lines];
  },
);

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

type Input = Parameters<Call<typeof portfolioEndpoints.downloadStatementFigures>>[0];
type Asked = Pick<Input, 'query' | 'caller' | 'reply'>;

/** A file of the statement that is asked for, named after its days. */
function csvOf(name: string, linesOf: (made: MadeStatement) => readonly string[]) {
  return async ({ query, caller, reply }: Asked, { records }: Dependencies) => {
    const made = await makeStatement(records.database, caller.userId, query);
    if (made === null) return notFound();
    describeFile(reply, `${name}-${made.days.from}-to-${made.days.to}.csv`);
    return new TextEncoder().encode(linesOf(made).join(''));
  };
}
