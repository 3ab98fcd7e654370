import { z } from 'zod';
import { endpoint } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';
import { OF_OWN_DEPLOYMENT } from './own-deployment.ts';

/** Dollars, exact to the millionth; sums since the start, signed as they change the value. */
const actualDay = z.object({
  /** The trading day. */
  date: z.string(),
  /** Put in less taken out. */
  invested: z.number(),
  /** As stored at the end of the day. */
  value: z.number(),
  /** As the books and the prices of that day say: `value`, unless something is unexplained. */
  explained: z.number(),
  /** Against the open of the day on which each order filled. */
  slippage: z.number(),
  commission: z.number(),
  /** Corrections of cash by the broker or by hand. */
  cash: z.number(),
  /** Dividends and swaps. */
  income: z.number(),
  /** Performance fees billed. */
  fee: z.number(),
});

const returnBridge = z
  .object({
    started_at: z.string(),
    /** Dollars that it began with. */
    amount: z.number(),
    /** Percent, as they are now. */
    stop_loss_percentage: z.number(),
    max_allocation_per_trade: z.number(),
    freeze_on_drawdown: z.number(),
    /** Whether the broker has filled fractions of shares. */
    takes_fractions: z.boolean(),
    /** The published result of its version to compare with, by the hash of its inputs; null before the first. */
    result: z.string().nullable(),
    /** Oldest first. */
    days: z.array(actualDay),
  })
  .meta({ id: 'ReturnBridge' });

export type ReturnBridge = z.infer<typeof returnBridge>;

export const returnBridgeEndpoints = {
  getReturnBridge: endpoint(ROUTES.getReturnBridge, {
    ...OF_OWN_DEPLOYMENT,
    summary: 'What each cause has made of the value of a deployment, day by day',
    description:
      'With the published result of the strategy, which anyone can run again, this explains the difference between the published return and the own one to the cent.',
    answer: returnBridge,
  }),
};
