// No self-cross: of two opposite orders in one account and instrument, at most one of ours is at the broker.
import type { AtBroker } from './at-the-broker.ts';

export function crossed(atBroker: readonly AtBroker[]): string[] {
  const found: string[] = [];
  for (const { account, orders } of atBroker) {
    // An order that works far from the market cannot cross another.
    const working = orders.filter(
      ({ isWorking, clientOrderId, stopPrice }) => isWorking && clientOrderId !== null && stopPrice === null,
    );
    for (const one of working) {
      const opposite = working.find(({ symbol, side }) => symbol === one.symbol && side !== one.side);
      if (one.side === 'buy' && opposite !== undefined)
        found.push(`I5 ${one.clientOrderId} and ${opposite.clientOrderId} could meet in ${account}`);
    }
  }
  return found;
}
