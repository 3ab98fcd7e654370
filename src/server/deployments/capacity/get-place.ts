import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { isOwnDeployment } from '#records/deployments/deployment-views.ts';
import { findPlace } from '#records/strategies/capacity-queue.ts';
import { placeNote } from '#rules/strategies/capacity.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { fromMicro } from '#units/money.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';

export const getDeploymentPlace: Call<typeof deploymentsEndpoints.getDeploymentPlace> = async (
  { params, caller: { userId } },
  { records: { database, pool } },
) => {
  if (!(await isOwnDeployment(pool, { id: params.id, userId }))) return notFound();
  const place = await findPlace(database, params.id as DeploymentId);
  if (place === undefined) return { place: null };
  const { flowId, amount, before, room, signedAt } = place;
  return {
    place: {
      number: before.count + 1,
      flow: flowId,
      amount: fromMicro(amount),
      amount_before: fromMicro(before.amount),
      capacity: room.capacity === null ? null : fromMicro(room.capacity),
      in_use: fromMicro(room.inUse),
      signed_at: signedAt.toISOString(),
      note: placeNote(place),
    },
  };
};
