import { createHash, randomBytes } from 'node:crypto';
import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import { findDraft } from '#records/strategy-builder/strategy-drafts.ts';
import { createTradeLogLink as keepLink, findNewestResult } from '#records/results/trade-logs.ts';
import { getRole } from '#records/identity/users.ts';
import { type Instant, isoText, SECOND_MS } from '#units/instant.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { mayWrite } from '../drafts/may-write.ts';

/** Long enough for a browser to open it at once, too short to be passed on. */
const LIFETIME_MS = 60 * SECOND_MS;

/** 256 random bits; only the hash is stored. */
export const createTradeLogLink: Call<typeof strategiesEndpoints.createTradeLogLink> = async (
  { params, caller },
  { records, now },
) => {
  const { database } = records;
  const writer = { userId: caller.userId, role: await getRole(database, caller.userId) };
  const draft = await findDraft(database, params.id);
  if (!draft || !mayWrite(writer, draft)) return notFound();
  const backtestId = await findNewestResult(database, draft.id);
  if (backtestId === undefined) return refuse('not_found', 'This strategy has no backtest result yet.');
  const token = randomBytes(32).toString('base64url');
  const at = now();
  const expiresAt = (at + LIFETIME_MS) as Instant;
  await keepLink(database, {
    hash: linkHash(token),
    strategyId: draft.id,
    userId: caller.userId,
    backtestId,
    at,
    expiresAt,
  });
  return {
    url: `/api/strategies/${draft.id}/strategy_trades_csv?link=${token}`,
    expires_at: isoText(expiresAt),
  };
};

export function linkHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
