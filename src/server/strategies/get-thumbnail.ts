import type { strategyDraftEndpoints } from '#contract/strategies/strategy-drafts.ts';
import { findThumbnail } from '#records/strategies/strategy-thumbnails.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';

export const getThumbnail: Call<typeof strategyDraftEndpoints.getStrategyThumbnail> = async (
  { params, reply },
  { records },
) => {
  const webp = await findThumbnail(records.database, { strategyId: params.id, hash: params.hash });
  if (!webp) return notFound();
  reply.header('cache-control', 'public, max-age=31536000, immutable');
  return webp;
};
