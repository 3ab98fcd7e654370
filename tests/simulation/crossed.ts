// No self-cross: of two opposite orders of one account and instrument at most one of ours is at the broker.
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { World } from './world.ts';

export async function crossed({ people, auditor }: World): Promise<string[]> {
  const found: string[] = [];
  for (const { connection, account } of people) {
    const opened = await auditor.broker.openSession(auditor.credentialsOf(connection));
    if (opened.outcome === 'failed') continue;
    const listed = await opened.value.orders(account as BrokerAccountId);
    if (listed.outcome === 'failed') continue;
    // What rests until a price far from the market meets nobody.
    const working = listed.value.filter(
      ({ status, clientOrderId, stopPrice }) =>
        status === 'working' && clientOrderId !== null && stopPrice == null,
    );
    for (const one of working) {
      const opposite = working.find(({ symbol, side }) => symbol === one.symbol && side !== one.side);
      if (one.side === 'buy' && opposite !== undefined)
        found.push(`I5 ${one.clientOrderId} and ${opposite.clientOrderId} could meet in ${account}`);
    }
  }
  return found;
}
