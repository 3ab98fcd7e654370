import type { brokerageEndpoints } from '#contract/brokerage.ts';
import {
  clearPrimaryConnection,
  findOwnConnection,
  setPrimaryConnection,
} from '#records/brokerage/broker-connections.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { notFound } from '../http/refusal.ts';
import { showConnection } from '../answers/show-connection.ts';

export const changeConnection: Call<typeof brokerageEndpoints.changeBrokerConnection> = (
  { params, body, caller },
  dependencies,
) => change({ id: params.id, userId: caller.userId, isPrimary: body.is_primary }, dependencies);

export const setPrimary: Call<typeof brokerageEndpoints.setPrimaryBrokerConnection> = (
  { params, caller },
  dependencies,
) => change({ id: params.id, userId: caller.userId, isPrimary: true }, dependencies);

type Change = { readonly id: string; readonly userId: UserId; readonly isPrimary: boolean };

async function change({ id, userId, isPrimary }: Change, { records, now }: Dependencies) {
  const own = await findOwnConnection(records.database, { id, userId });
  if (!own) return notFound();
  if (isPrimary) await setPrimaryConnection(records.database, { id: own.id, userId });
  else await clearPrimaryConnection(records.database, own.id);
  return showConnection({ ...own, isPrimary }, now());
}
