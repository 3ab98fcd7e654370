import { z } from 'zod';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';

const draftVersion = z
  .object({
    version: z.number().int(),
    version_id: z.string(),
    definition: z.unknown(),
    committed_at: z.string(),
    /** What its newest backtest found; null where it was never tested. Percent, except the ratio and the trades. */
    result: z
      .object({
        first_date: z.string(),
        last_date: z.string(),
        total_return: z.number(),
        annual_return: z.number().nullable(),
        sharpe_ratio: z.number().nullable(),
        max_drawdown: z.number(),
        total_trades: z.number().int(),
      })
      .nullable(),
  })
  .meta({ id: 'DraftVersion' });

export type DraftVersion = z.infer<typeof draftVersion>;

export const draftVersionEndpoints = {
  listDraftVersions: endpoint(ROUTES.listDraftVersions, {
    room: 'strategy-builder',
    security: 'bearer',
    summary: 'The versions of your draft, with the result of each',
    description: 'The newest fifty, newest first. A version that was never tested has no result.',
    params: idParams,
    status: 200,
    answer: z.array(draftVersion),
    refusals: ['not_found'],
  }),
} as const;
