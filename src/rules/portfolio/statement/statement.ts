// The statement of a period: what there was, what came and went, what was earned and paid, and what there is. Value, cash and
// costs come from the ledger and the daily valuations, gains from the tax lots; that both agree is shown by the residual.
import { add, type Micro, micro, notional, subtract, ZERO_MICRO } from '#units/money.ts';
import { addDays } from '#units/instant.ts';
import { type ClosedLot, type LotBook, type LotMethod, tradingGain } from '../tax-lots/tax-lot.ts';
import { taxLots } from '../tax-lots/tax-lots.ts';
import { type CutOff, cutOffBefore } from './cut-off.ts';
import { lotEvents } from './lot-events.ts';
import { partsOf } from './booked-parts.ts';
import type { Days } from './period.ts';
import type { Instruments, StatementBooks } from './statement-books.ts';

/**
 * Dollars, signed as they change the value: end = start + the rest. A residual is what the books do not explain; it is shown
 * and never spread over other lines.
 */
export type StatementFigures = {
  readonly startValue: Micro;
  readonly moneyIn: Micro;
  readonly moneyOut: Micro;
  readonly income: Micro;
  readonly financing: Micro;
  /** Before commission: by tax lot, and as booked on margin. */
  readonly realizedGains: Micro;
  readonly unrealizedChange: Micro;
  /** Commissions and fees of the broker. */
  readonly costs: Micro;
  readonly performanceFees: Micro;
  /** Performance fees are invoiced and leave the account untouched: what is not taken from it. */
  readonly invoicedApart: Micro;
  readonly corrections: Micro;
  readonly residual: Micro;
  readonly endValue: Micro;
};

export const STATEMENT_LINES = [
  'startValue',
  'moneyIn',
  'moneyOut',
  'income',
  'financing',
  'realizedGains',
  'unrealizedChange',
  'costs',
  'performanceFees',
  'invoicedApart',
  'corrections',
  'residual',
  'endValue',
] as const satisfies readonly (keyof StatementFigures)[];

export type DeploymentStatement = StatementFigures & {
  readonly books: StatementBooks;
  /** Sales of the period. A purchase within 30 days after its end can still disallow a loss. */
  readonly lots: readonly ClosedLot[];
  /** Losses of earlier sales that a purchase of this period disallowed: for tax they no longer count. */
  readonly disallowedSince: Micro;
};

export type Statement = {
  readonly deployments: readonly DeploymentStatement[];
  readonly total: StatementFigures;
};

/** Wash sales are looked for in all of the books, also in those that the statement is not about: `shown` names these. */
export function statementOf(
  all: readonly StatementBooks[],
  {
    days: { from, to },
    method,
    instruments,
    shown,
  }: {
    readonly days: Days;
    readonly method: LotMethod;
    readonly instruments: Instruments;
    readonly shown: (books: StatementBooks) => boolean;
  },
): Statement {
  const starts = new Map(all.map((books) => [books, cutOffBefore(from, books)]));
  const ends = new Map(all.map((books) => [books, cutOffBefore(addDays(to, 1), books)]));
  const before = lotBookAt(all, starts, { method, instruments });
  const after = lotBookAt(all, ends, { method, instruments });
  const deployments = all.filter(shown).map((books) => {
    const start = stateOf(books, starts.get(books)!, before, instruments);
    const end = stateOf(books, ends.get(books)!, after, instruments);
    const earlier = end.closed.slice(0, start.closed.length);
    return {
      ...figuresOf(books, start, end, instruments),
      books,
      lots: end.closed.slice(start.closed.length),
      disallowedSince: subtract(sumDisallowed(earlier), sumDisallowed(start.closed)),
    };
  });
  return { deployments, total: sumOf(deployments) };
}

type Rules = { readonly method: LotMethod; readonly instruments: Instruments };

function lotBookAt(
  all: readonly StatementBooks[],
  cutOffs: ReadonlyMap<StatementBooks, CutOff>,
  { method, instruments }: Rules,
): LotBook {
  const events = all
    .flatMap((books) => {
      const { place } = cutOffs.get(books)!;
      return lotEvents(books, instruments).filter((one) => one.place <= place);
    })
    .toSorted((left, right) => left.place - right.place)
    .map(({ event }) => event);
  return taxLots(events, {
    method,
    hasWashSales: (symbol) => WITH_WASH_SALES.has(instruments.get(symbol)?.kind ?? ''),
  });
}

const sumDisallowed = (lots: readonly ClosedLot[]) => add(...lots.map(({ disallowed }) => disallowed));

const WITH_WASH_SALES: ReadonlySet<string> = new Set(['equity', 'options']);

type State = CutOff & {
  readonly closed: readonly ClosedLot[];
  /** Realised by tax lot since the beginning, before commission. */
  readonly realizedByLot: Micro;
  /** Value less what the open lots cost, and the open result on margin. */
  readonly unrealized: Micro;
};

function stateOf(books: StatementBooks, cutOff: CutOff, lots: LotBook, instruments: Instruments): State {
  const closed = lots.closed.filter(({ holding }) => holding === books.id);
  const basis = add(
    ...lots.open
      .filter(({ holding }) => holding === books.id)
      .map(({ side, basis: whole, deferred }) =>
        micro(side === 'long' ? whole - deferred : -whole - deferred),
      ),
  );
  return {
    ...cutOff,
    closed,
    realizedByLot: add(...closed.map(tradingGain)),
    unrealized: subtract(holdingsValue(cutOff, instruments), basis),
  };
}

/** What is held, at its prices; of positions on margin their open result, which the valuation has in dollars. */
function holdingsValue({ value, cash, held }: CutOff, instruments: Instruments): Micro {
  const values = [...held].map(([symbol, { units, price }]) => {
    const instrument = instruments.get(symbol);
    return instrument?.settlement === 'cash' ? notional(units, price, instrument.multiplier) : null;
  });
  const inFull = add(...values.filter((one) => one !== null));
  return values.includes(null) ? subtract(value, cash) : inFull;
}

function figuresOf(
  books: StatementBooks,
  start: State,
  end: State,
  instruments: Instruments,
): StatementFigures {
  const booked = books.transactions.filter(({ place }) => place > start.place && place <= end.place);
  const sums = { ...NOTHING };
  for (const one of booked)
    for (const [line, amount] of partsOf(one, instruments)) sums[line] = add(sums[line], amount);
  const back = end.hasEnded ? subtract(end.value, start.hasEnded ? start.value : ZERO_MICRO) : ZERO_MICRO;
  const figures = {
    ...sums,
    startValue: start.hasEnded ? ZERO_MICRO : start.value,
    endValue: end.hasEnded ? ZERO_MICRO : end.value,
    moneyOut: subtract(sums.moneyOut, back),
    realizedGains: add(sums.realizedGains, subtract(end.realizedByLot, start.realizedByLot)),
    unrealizedChange: subtract(end.unrealized, start.unrealized),
    invoicedApart: micro(-sums.performanceFees),
  };
  const explained = STATEMENT_LINES.filter((line) => line !== 'endValue' && line !== 'residual').map(
    (line) => figures[line],
  );
  return { ...figures, residual: subtract(figures.endValue, add(...explained)) };
}

const NOTHING: Readonly<Record<keyof StatementFigures, Micro>> = {
  startValue: ZERO_MICRO,
  moneyIn: ZERO_MICRO,
  moneyOut: ZERO_MICRO,
  income: ZERO_MICRO,
  financing: ZERO_MICRO,
  realizedGains: ZERO_MICRO,
  unrealizedChange: ZERO_MICRO,
  costs: ZERO_MICRO,
  performanceFees: ZERO_MICRO,
  invoicedApart: ZERO_MICRO,
  corrections: ZERO_MICRO,
  residual: ZERO_MICRO,
  endValue: ZERO_MICRO,
};

function sumOf(parts: readonly StatementFigures[]): StatementFigures {
  const total = { ...NOTHING };
  for (const line of STATEMENT_LINES) total[line] = add(...parts.map((one) => one[line]));
  return total;
}
