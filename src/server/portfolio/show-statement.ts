import type { ClosedLot, Statement } from '#contract/portfolio.ts';
import type { StatementFigures } from '#rules/portfolio/statement/statement.ts';
import { type ClosedLot as Lot, taxableGain } from '#rules/portfolio/tax-lots/tax-lot.ts';
import { add, fromMicro } from '#units/money.ts';
import { fromQuantity } from '#units/quantity.ts';
import type { MadeStatement } from './make-statement.ts';

export function showStatement(made: MadeStatement): Statement {
  const { asked, days, firstDay, lastDay, total, deployments } = made;
  return {
    period: asked.period,
    from: days.from,
    to: days.to,
    first_day: firstDay,
    last_day: lastDay,
    method: asked.method,
    total: showFigures(total),
    deployments: deployments.map((one) => ({
      deployment: one.books.id,
      strategy_name: one.books.strategyName,
      ...showFigures(one),
    })),
    lots: showLots(made),
    disallowed_since: fromMicro(add(...deployments.map(({ disallowedSince }) => disallowedSince))),
  };
}

/** In the order in which they were closed. */
export function showLots({ deployments }: Pick<MadeStatement, 'deployments'>): ClosedLot[] {
  return deployments
    .flatMap(({ books, lots }) => lots.map((lot) => showLot(books.strategyName, lot)))
    .toSorted((left, right) =>
      left.closed_on < right.closed_on ? -1 : left.closed_on > right.closed_on ? 1 : 0,
    );
}

function showLot(strategyName: string, lot: Lot): ClosedLot {
  return {
    strategy_name: strategyName,
    ticker: lot.symbol,
    side: lot.side,
    quantity: fromQuantity(lot.units),
    opened_on: lot.openedOn,
    closed_on: lot.closedOn,
    proceeds: fromMicro(lot.proceeds),
    basis: fromMicro(lot.basis),
    costs: fromMicro(lot.costs),
    gain: fromMicro(lot.gain),
    disallowed: fromMicro(lot.disallowed),
    taxable_gain: fromMicro(taxableGain(lot)),
    term: lot.term,
  };
}

export function showFigures(figures: StatementFigures): Statement['total'] {
  return {
    start_value: fromMicro(figures.startValue),
    money_in: fromMicro(figures.moneyIn),
    money_out: fromMicro(figures.moneyOut),
    income: fromMicro(figures.income),
    financing: fromMicro(figures.financing),
    realized_gains: fromMicro(figures.realizedGains),
    unrealized_change: fromMicro(figures.unrealizedChange),
    costs: fromMicro(figures.costs),
    performance_fees: fromMicro(figures.performanceFees),
    invoiced_apart: fromMicro(figures.invoicedApart),
    corrections: fromMicro(figures.corrections),
    residual: fromMicro(figures.residual),
    end_value: fromMicro(figures.endValue),
  };
}
