import { z } from 'zod';
import { CASH_ENTRY_KINDS } from '#rules/deployments/cash-entry-text.ts';
import { endpoint } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';
import { OF_OWN_DEPLOYMENT } from './own-deployment.ts';

const cashEntry = z
  .object({
    /** Names the entry when the next page is asked for. */
    id: z.string(),
    /** Trading clock. */
    at: z.string(),
    kind: z.enum(CASH_ENTRY_KINDS),
    /** A sentence of what was booked. */
    text: z.string(),
    symbol: z.string().nullable(),
    /** Dollars: what the deployment's cash changed by. Zero for a performance fee, which is invoiced separately. */
    amount: z.number(),
    /** Dollars of commission in that amount, negative for a rebate. */
    commission: z.number(),
    /** Dollars of cash after it. */
    balance: z.number(),
  })
  .meta({ id: 'CashEntry' });

export type CashEntry = z.infer<typeof cashEntry>;

const cashLedger = z
  .object({
    /** Newest first. */
    entries: z.array(cashEntry),
    /** What to send as `before` for older ones; null when there are none. */
    next: z.string().nullable(),
    /** Dollars of the whole life of the deployment, by kind; commissions are a line of their own. They sum to the cash balance. */
    totals: z.array(z.object({ kind: z.enum(CASH_ENTRY_KINDS), amount: z.number() })),
    /** Dollars. */
    cash_balance: z.number(),
  })
  .meta({ id: 'CashLedger' });

export type CashLedger = z.infer<typeof cashLedger>;

export const cashLedgerEndpoints = {
  listDeploymentCash: endpoint(ROUTES.listDeploymentCash, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'Every movement of cash of a deployment, newest first',
    description:
      'Money put in, fills, commissions, financing, dividends, deliveries, adjustments and fees, each with the cash after it.',
    query: z.object({
      before: z.coerce
        .number()
        .int()
        .min(1)
        .optional()
        .describe('Older than this entry: `next` of the page before.'),
      limit: z.coerce.number().int().min(1).max(500).default(100).describe('How many.'),
    }),
    answer: cashLedger,
  }),
  downloadDeploymentCash: endpoint(ROUTES.downloadDeploymentCash, {
    ...OF_OWN_DEPLOYMENT,
    opensByLink: true,
    summary: 'Every movement of cash of a deployment as CSV, oldest first',
    description: 'One line per movement; the columns are the fields of an entry.',
    answer: z.string(),
    media: 'text/csv',
  }),
} as const;
