import type { BrokerOrder, BrokerPosition } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { World } from './world.ts';

export type AtBroker = {
  readonly account: BrokerAccountId;
  readonly orders: readonly BrokerOrder[];
  /** Empty where they cannot be read now. */
  readonly positions: readonly BrokerPosition[];
};

/** The broker's own lists for each person; empty for persons whose broker cannot be queried now. */
export async function listAtBroker({ people, auditor }: World): Promise<AtBroker[]> {
  const found: AtBroker[] = [];
  for (const { connection, account: name } of people) {
    const account = name as BrokerAccountId;
    const opened = await auditor.sessionOf(connection);
    if (opened.outcome === 'failed') continue;
    const listed = await opened.value.orders(account);
    if (listed.outcome === 'failed') continue;
    const held = await opened.value.positions(account);
    const positions = held.outcome === 'ok' ? held.value : [];
    found.push({ account, orders: listed.value, positions });
  }
  return found;
}
