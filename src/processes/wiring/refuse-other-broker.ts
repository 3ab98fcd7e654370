import { permitBroker } from '#records/brokerage/permitted-broker.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { placeOf } from '../database/world-database.ts';
import type { Environment } from '../environment/environment.ts';

/**
 * Throws an Error that says what to do when the database holds permissions for another broker: it would be shown them, and
 * its refusal would end them.
 */
export async function refuseOtherBroker(environment: Environment, handle: DatabaseHandle): Promise<void> {
  const broker = nameOf(environment.broker);
  const permitted = await permitBroker(handle.database, broker);
  if (permitted.outcome === 'ok') return;
  throw new Error(
    `${placeOf(environment)} holds ${permitted.permissions} permissions of clients for the broker ${permitted.before}, ` +
      `and BROKER names ${broker}. Set BROKER as before, or start with another folder (DATA_DIR) or database (DATABASE_URL).`,
  );
}

/** The sandbox may move to another port; a vendor's numbered hosts (1.api…, 2.api…) are one server. */
function nameOf({ choice, baseUrl }: Environment['broker']): string {
  if (choice === 'sandbox' || baseUrl === null) return choice;
  return `${choice} at ${new URL(baseUrl).host.replace(/^\d\.(?=.*[a-z])/, '')}`;
}
