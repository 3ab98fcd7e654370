import type { BrokerOrder, BrokerSession } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { World } from './world.ts';

type AtBroker = {
  readonly account: BrokerAccountId;
  readonly session: BrokerSession;
  readonly orders: readonly BrokerOrder[];
};

/** What the broker itself lists for each person; nothing of those for whom it cannot be asked now. */
export async function listAtBroker({ people, auditor }: World): Promise<AtBroker[]> {
  const found: AtBroker[] = [];
  for (const { connection, account: name } of people) {
    const account = name as BrokerAccountId;
    const opened = await auditor.broker.openSession(auditor.credentialsOf(connection));
    if (opened.outcome === 'failed') continue;
    const listed = await opened.value.orders(account);
    if (listed.outcome === 'ok') found.push({ account, session: opened.value, orders: listed.value });
  }
  return found;
}
