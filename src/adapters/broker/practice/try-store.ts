import type { BrokerAnswer } from '#ports/broker.ts';
import { failed } from '../exchange.ts';

/** The store failed: nothing may be concluded, as from a broker that does not answer. */
export async function tryStore<Value>(ask: () => Promise<Value>): Promise<BrokerAnswer<Value>> {
  try {
    return { outcome: 'ok', value: await ask() };
  } catch (error) {
    return failed('unreachable', error instanceof Error ? error.message : String(error));
  }
}
