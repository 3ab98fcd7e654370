// The words of a statement, the same on the page and on paper.
import { dollars } from '../../dollars.ts';
import { longDate } from '../../long-date.ts';
import { taxableGain } from '../tax-lots/tax-lot.ts';
import type { Days } from './period.ts';
import { type Statement, STATEMENT_LINES, type StatementFigures } from './statement.ts';
import { quantityText } from '#units/quantity.ts';

export const STATEMENT_WORDS: Readonly<Record<keyof StatementFigures, string>> = {
  startValue: 'Value at the start',
  moneyIn: 'Money put in',
  moneyOut: 'Money taken out',
  income: 'Dividends',
  financing: 'Overnight financing',
  realizedGains: 'Realized gains and losses',
  unrealizedChange: 'Change of unrealized gains',
  costs: 'Commissions and broker fees',
  performanceFees: 'Performance fees billed',
  invoicedApart: 'Of which invoiced, not taken from the account',
  corrections: 'Corrections',
  residual: 'Not explained by the books',
  endValue: 'Value at the end',
};

/** Left out where they are zero. */
const ONLY_IF_ANY: ReadonlySet<keyof StatementFigures> = new Set([
  'performanceFees',
  'invoicedApart',
  'corrections',
  'residual',
]);

export const LOT_METHOD_WORDS = {
  fifo: 'First in, first out',
  lifo: 'Last in, first out',
  highest_cost: 'Highest cost first',
} as const;

export const TAX_NOTE =
  'Shares, coins and options by tax lot. Currencies and futures have no lots: their gains are as booked. Wash sales are looked for in all your deployments here but practice, by the same instrument; what you trade elsewhere is not known. A purchase within 30 days after the end of the period can still disallow a loss. Your broker’s own tax form is what counts.';

export function shownLines(figures: StatementFigures): readonly (keyof StatementFigures)[] {
  return STATEMENT_LINES.filter((line) => figures[line] !== 0 || !ONLY_IF_ANY.has(line));
}

type Part =
  | { readonly kind: 'heading' | 'text'; readonly text: string }
  | { readonly kind: 'figure'; readonly label: string; readonly value: string; readonly note?: string };

/** The body of the printed statement. */
export function statementParts(
  { total, deployments }: Statement,
  { from, to }: Days,
  method: keyof typeof LOT_METHOD_WORDS,
): readonly Part[] {
  const figures = (one: StatementFigures): readonly Part[] =>
    shownLines(one).map((line) => ({
      kind: 'figure',
      label: STATEMENT_WORDS[line],
      value: dollars(one[line]),
    }));
  const sales = deployments.flatMap(({ books, lots }) =>
    lots.map((lot): Part => {
      const span = `${longDate(lot.openedOn)} to ${longDate(lot.closedOn)}, ${lot.term}-term`;
      const washed = lot.disallowed === 0 ? '' : `, wash sale: ${dollars(lot.disallowed)} disallowed`;
      return {
        kind: 'figure',
        label: `${quantityText(lot.units)} ${lot.symbol}, ${books.strategyName}`,
        value: dollars(taxableGain(lot)),
        note: `${span}. Proceeds ${dollars(lot.proceeds)}, basis ${dollars(lot.basis)}, costs ${dollars(lot.costs)}${washed}`,
      };
    }),
  );
  return [
    { kind: 'heading', text: `${longDate(from)} to ${longDate(to)}` },
    ...figures(total),
    ...(deployments.length > 1
      ? deployments.flatMap((one): readonly Part[] => [
          { kind: 'heading', text: one.books.strategyName },
          ...figures(one),
        ])
      : []),
    { kind: 'heading', text: `Sales by tax lot: ${LOT_METHOD_WORDS[method]}` },
    ...(sales.length === 0 ? [{ kind: 'text', text: 'Nothing was sold.' } as const] : sales),
    { kind: 'text', text: TAX_NOTE },
  ];
}
