// The rotation among the clients of a strategy: in which order a trader begins to send. Other traders send their own clients' orders at
// the same time, each in the order of the same ring.
import { inRotation, type Signal } from '#engine/order/rotation.ts';
import {
  listTargetsToSend,
  listTradingConnections,
  type TradingConnection,
} from '#records/brokerage/trading-connections.ts';
import { listTargets } from '#records/strategies/targets.ts';
import type { TargetId } from '#units/identifiers.ts';
import type { TradingContext } from '../trading-context.ts';

type Context = Pick<TradingContext, 'database' | 'lease' | 'targetCache'>;

/** Connections with orders to send. */
export async function listByTurn(context: Context): Promise<readonly TradingConnection[]> {
  const { database, lease } = context;
  return byTurn(context, await listTradingConnections(database, 'with orders to send', lease.shards));
}

export async function byTurn(
  { database, lease, targetCache }: Context,
  toSend: readonly TradingConnection[],
): Promise<readonly TradingConnection[]> {
  if (toSend.length < 2) return toSend;
  const followed = await listTargetsToSend(database, lease.shards);
  const unseen = [...new Set([...followed.values()].flat())].filter((id) => !targetCache.seen.has(id));
  for (const target of (await listTargets(database, unseen)).values()) targetCache.keep(target);
  const signalOf = (id: TargetId): readonly Signal[] => {
    const target = targetCache.seen.get(id);
    return target === undefined || target.turn === null
      ? []
      : [{ versionId: target.versionId, turn: target.turn }];
  };
  return inRotation(toSend, ({ id }) => (followed.get(id) ?? []).flatMap(signalOf));
}
