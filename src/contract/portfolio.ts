import { z } from 'zod';
import { INSTRUMENT_KINDS } from '#engine/market/instrument.ts';
import { STATEMENT_PERIODS } from '#rules/portfolio/statement/period.ts';
import { endpoint } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

const dollars = z.number();

const figures = {
  /** Cash plus positions before the first day; zero before the money was put in and after it was returned. */
  start_value: dollars,
  money_in: dollars,
  money_out: dollars,
  /** Dividends, less those paid on short positions. */
  income: dollars,
  financing: dollars,
  /** Before commission: of shares, coins and options by tax lot, of currencies and futures as booked. */
  realized_gains: dollars,
  unrealized_change: dollars,
  costs: dollars,
  performance_fees: dollars,
  /** The same sum again: fees are invoiced and not taken from the account. */
  invoiced_apart: dollars,
  corrections: dollars,
  /** What the books do not explain. Zero. */
  residual: dollars,
  /** The sum of all lines above. */
  end_value: dollars,
};

const closedLot = z
  .object({
    strategy_name: z.string(),
    ticker: z.string(),
    side: z.enum(['long', 'short']),
    quantity: z.number(),
    opened_on: z.string(),
    closed_on: z.string(),
    proceeds: dollars,
    /** With the disallowed losses of what it replaced. */
    basis: dollars,
    /** Commissions of both trades. */
    costs: dollars,
    /** proceeds - basis - costs. */
    gain: dollars,
    /** Of a loss, what a wash sale disallows: it is added to the basis of the replacement. */
    disallowed: dollars,
    /** gain + disallowed. */
    taxable_gain: dollars,
    /** long: held for more than one year. */
    term: z.enum(['short', 'long']),
  })
  .meta({ id: 'ClosedLot' });

export type ClosedLot = z.infer<typeof closedLot>;

const statement = z
  .object({
    period: z.enum(STATEMENT_PERIODS),
    from: z.string(),
    /** The last day. */
    to: z.string(),
    /** The days before and after which there is nothing to state. */
    first_day: z.string(),
    last_day: z.string(),
    method: z.enum(['fifo', 'lifo', 'highest_cost']),
    /** Dollars, signed as they change the value: end_value is the sum of the other lines. */
    total: z.object(figures).meta({ id: 'StatementFigures' }),
    deployments: z.array(
      z.object({ deployment: z.string(), strategy_name: z.string(), ...figures }).meta({
        id: 'DeploymentStatement',
      }),
    ),
    /** Sales of the period, by the lots that they closed. */
    lots: z.array(closedLot),
    /** Losses of earlier sales that purchases of this period disallowed. */
    disallowed_since: dollars,
  })
  .meta({ id: 'Statement' });

export type Statement = z.infer<typeof statement>;

const exposure = {
  /** Dollars, both positive. */
  long: dollars,
  short: dollars,
  /** Long less short, in percent of the whole value. */
  net_percent: z.number().nullable(),
};

const portfolio = z
  .object({
    /** Of the deployments that have not ended, without practice. */
    value: dollars,
    /** Of the newest prices in it; null while nothing is deployed. */
    as_of: z.string().nullable(),
    cash: dollars,
    deployments: z.array(z.object({ id: z.string(), strategy_name: z.string(), value: dollars })),
    /** The largest first. */
    by_kind: z.array(z.object({ kind: z.enum(INSTRUMENT_KINDS), ...exposure })),
    by_instrument: z.array(
      z.object({
        ticker: z.string(),
        kind: z.enum(INSTRUMENT_KINDS),
        ...exposure,
        strategy_names: z.array(z.string()),
      }),
    ),
    /** Each pair of deployments once, by their ids. */
    pairs: z.array(
      z.object({
        first: z.string(),
        second: z.string(),
        /** Of the smaller one's positions, what the other holds too, on the same side; null while one holds nothing. */
        overlap_percent: z.number().nullable(),
        /** Of daily returns; null with fewer than 20 common days. */
        correlation: z.number().nullable(),
        days: z.number().int(),
      }),
    ),
    /** Of all deployments that ever were, by days: money that came or went is no result. Null before the second day. */
    drawdown: z
      .object({
        /** Percent, at or below zero. */
        now_percent: z.number(),
        deepest_percent: z.number(),
        peak: z.string().nullable(),
        trough: z.string().nullable(),
      })
      .nullable(),
    /** The largest fall that the risk profile says is bearable, in percent; null without a profile. */
    stated_maximum_percent: z.number().nullable(),
  })
  .meta({ id: 'Portfolio' });

export type Portfolio = z.infer<typeof portfolio>;

const query = z.object({
  period: z
    .enum(STATEMENT_PERIODS, 'Choose day, month, quarter or year')
    .default('month')
    .describe('How long it is.'),
  day: z.iso
    .date('Give a day as YYYY-MM-DD')
    .optional()
    .describe('Any day of the period; the newest one without it.'),
  method: z
    .enum(['fifo', 'lifo', 'highest_cost'], 'Choose fifo, lifo or highest_cost')
    .default('fifo')
    .describe('Which lots a sale closes first: the oldest, the newest, the dearest.'),
  deployment: z.string().max(100).optional().describe('Only this one; without it all but practice.'),
});

export type StatementQuery = z.input<typeof query>;

const own = { room: 'portfolio', security: 'bearer', query, status: 200, refusals: ['not_found'] } as const;

export const portfolioEndpoints = {
  getPortfolio: endpoint(ROUTES.getPortfolio, {
    room: 'portfolio',
    security: 'bearer',
    summary: 'All your deployments together, without practice',
    description:
      'Exposure by kind and instrument, how alike the deployments are, and the drawdown of all of them against what your risk profile says you can bear.',
    status: 200,
    answer: portfolio,
    refusals: [],
  }),
  getStatement: endpoint(ROUTES.getStatement, {
    ...own,
    summary: 'The statement of a day, month, quarter or year',
    description:
      'Value at the start and end, money in and out, income, gains, costs and fees, for each deployment and together. All lines sum to the value at the end. Not found before the first deployment.',
    answer: statement,
  }),
  downloadStatement: endpoint(ROUTES.downloadStatement, {
    ...own,
    opensByLink: true,
    summary: 'A statement as a PDF',
    description: 'The figures and every sale, to keep.',
    answer: z.string(),
    media: 'application/pdf',
  }),
  downloadStatementFigures: endpoint(ROUTES.downloadStatementFigures, {
    ...own,
    opensByLink: true,
    summary: 'The figures of a statement as CSV',
    description:
      'One line for each deployment and one for all of them; the columns are the lines of the statement.',
    answer: z.string(),
    media: 'text/csv',
  }),
  downloadStatementLots: endpoint(ROUTES.downloadStatementLots, {
    ...own,
    opensByLink: true,
    summary: 'The sales of a statement by tax lot, as CSV',
    description: 'One line for each lot that a sale closed; the columns are the fields of a lot.',
    answer: z.string(),
    media: 'text/csv',
  }),
  downloadStatementTrades: endpoint(ROUTES.downloadStatementTrades, {
    ...own,
    opensByLink: true,
    summary: 'Your trades in the period of a statement, as CSV',
    description: 'One line for each execution, oldest first.',
    answer: z.string(),
    media: 'text/csv',
  }),
} as const;
