import type { brokerageEndpoints } from '#contract/brokerage.ts';
import {
  clearPrimaryConnection,
  findOwnConnection,
  setPrimaryConnection,
  setWithoutMarketData,
} from '#records/brokerage/broker-connections.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { notFound } from '../http/refusal.ts';
import { showConnection } from '../answers/show-connection.ts';

export const changeConnection: Call<typeof brokerageEndpoints.changeBrokerConnection> = (
  { params, body, caller },
  dependencies,
) =>
  change(
    {
      id: params.id,
      userId: caller.userId,
      isPrimary: body.is_primary,
      withoutMarketData: body.trades_without_market_data,
    },
    dependencies,
  );

export const setPrimary: Call<typeof brokerageEndpoints.setPrimaryBrokerConnection> = (
  { params, caller },
  dependencies,
) => change({ id: params.id, userId: caller.userId, isPrimary: true }, dependencies);

type Change = {
  readonly id: string;
  readonly userId: UserId;
  readonly isPrimary?: boolean | undefined;
  readonly withoutMarketData?: boolean | undefined;
};

async function change(
  { id, userId, isPrimary, withoutMarketData }: Change,
  { records: { database }, now }: Dependencies,
) {
  const own = await findOwnConnection(database, { id, userId });
  if (!own) return notFound();
  if (isPrimary === true) await setPrimaryConnection(database, { id: own.id, userId });
  else if (isPrimary === false) await clearPrimaryConnection(database, own.id);
  if (withoutMarketData !== undefined)
    await setWithoutMarketData(database, { id: own.id, isAllowed: withoutMarketData });
  const changed = await findOwnConnection(database, { id, userId });
  return changed ? showConnection(changed, now()) : notFound();
}
