import { z } from 'zod';
import { CLOSED_BY } from '#rules/deployments/closed-trade-text.ts';
import { endpoint } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';
import { OF_OWN_DEPLOYMENT } from './own-deployment.ts';

/** Of a deployment. */
export const closedCounts = {
  /** Each from its first entry until the position was zero again, net of commission. */
  closed_trades: z.number().int(),
  /** Those of them that made money. */
  won_trades: z.number().int(),
  /** Those of them that lost money. */
  lost_trades: z.number().int(),
};

const closedTrade = z
  .object({
    id: z.string(),
    ticker: z.string(),
    side: z.enum(['long', 'short']),
    /** Trading clock. */
    opened_at: z.string(),
    closed_at: z.string(),
    /** All that was bought for a long one, or sold for a short one; in units of its end. */
    quantity: z.number(),
    /** Averages over all entries and all exits, in `currency`. */
    entry_price: z.number(),
    exit_price: z.number(),
    currency: z.string(),
    /** Dollars: what was entered. */
    entry_value: z.number(),
    /** Dollars, part of pnl. */
    commission: z.number(),
    /** Dollars of dividends and overnight financing, part of pnl; negative when they were paid. */
    income: z.number(),
    /** Dollars, net of commission. */
    pnl: z.number(),
    /** pnl in percent of entry_value. */
    pnl_percentage: z.number(),
    /** What closed the position. coin_fee: the broker kept the last of it as its fee. */
    closed_by: z.enum(CLOSED_BY),
    /** A sentence of what closed it; empty for an order. */
    text: z.string(),
  })
  .meta({ id: 'ClosedTrade' });

export type ClosedTrade = z.infer<typeof closedTrade>;

export const closedTradesEndpoints = {
  listClosedTrades: endpoint(ROUTES.listClosedTrades, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'Closed trades of a deployment, newest first',
    description:
      'A trade opens when a position leaves zero and closes when it is zero again, by orders, expiry, exercise or assignment. Its result is net of commission, with dividends and financing. The win rate counts these.',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1000).default(500).describe('How many of the newest.'),
    }),
    answer: z.array(closedTrade),
  }),
  downloadClosedTrades: endpoint(ROUTES.downloadClosedTrades, {
    ...OF_OWN_DEPLOYMENT,
    opensByLink: true,
    summary: 'Closed trades of a deployment as CSV, oldest first',
    description: 'One line per closed trade; the columns are its fields.',
    answer: z.string(),
    media: 'text/csv',
  }),
  downloadDeploymentTrades: endpoint(ROUTES.downloadDeploymentTrades, {
    ...OF_OWN_DEPLOYMENT,
    opensByLink: true,
    summary: 'Orders of a deployment and their fills as CSV, oldest first',
    description: 'One line per order or adjustment; the columns are the fields of a trade.',
    answer: z.string(),
    media: 'text/csv',
  }),
} as const;
