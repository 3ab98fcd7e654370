import { hasSignedTemplate } from '#records/agreements/agreements.ts';
import { countUnnamedAccounts, permitBrokers } from '#records/brokerage/permitted-brokers.ts';
import { findRole } from '#records/identity/users.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { STATEMENT_TEMPLATE } from '#rules/agreements/investment-agreement.ts';
import { placeOf } from '../database/world-database.ts';
import type { BrokerSettings } from '../environment/broker-settings.ts';
import type { Environment } from '../environment/environment.ts';
import { DEMO_EMAIL } from '../seed/demo-user.ts';

/**
 * Throws an Error that says what to do when the database holds permissions for a broker that is not set up: another one
 * would be shown them, and its refusal would end them; or nobody would look after what they trade.
 */
export async function refuseOtherBrokers(environment: Environment, handle: DatabaseHandle): Promise<void> {
  await refuseDemoAccount(environment, handle);
  await refuseOwnInstallation(environment, handle);
  const { brokers } = environment;
  const places = Object.fromEntries(brokers.map((settings) => [settings.vendor, placeOfBroker(settings)]));
  if ((await countUnnamedAccounts(handle.database)) > 0)
    throw new Error(
      `${placeOf(environment)} names accounts by their number alone, as an earlier version did, and two vendors may give the same. ` +
        'Start with another folder (DATA_DIR) or database (DATABASE_URL).',
    );
  const permitted = await permitBrokers(handle.database, places);
  if (permitted.outcome === 'ok') return;
  const { before, permissions } = permitted;
  const named = brokers.map(placeOfBroker).join(' and ');
  throw new Error(
    `${placeOf(environment)} holds ${permissions} permissions of clients for the broker ${before}, ` +
      `and BROKER names ${named}. Set BROKER as before, or start with another folder (DATA_DIR) or database (DATABASE_URL).`,
  );
}

/** Its password is in our source: it never signs in where prices are real. */
async function refuseDemoAccount(environment: Environment, { database }: DatabaseHandle): Promise<void> {
  if (environment.market !== 'live' || (await findRole(database, DEMO_EMAIL)) === undefined) return;
  throw new Error(
    `${placeOf(environment)} holds the demo account ${DEMO_EMAIL}, whose password everyone knows, and MARKET is live. ` +
      'Start with another folder (DATA_DIR) or database (DATABASE_URL).',
  );
}

/** Its owner signed no agreement, and nothing of what was earned was to be billed. */
async function refuseOwnInstallation(environment: Environment, { database }: DatabaseHandle): Promise<void> {
  if (environment.installation !== 'provider' || !(await hasSignedTemplate(database, STATEMENT_TEMPLATE)))
    return;
  throw new Error(
    `${placeOf(environment)} is of an installation that one person runs for themselves, and HOST or BROKER make this one a provider's. ` +
      'Start with another folder (DATA_DIR) or database (DATABASE_URL).',
  );
}

/** The sandbox may move to another port; a vendor's numbered hosts (1.api…, 2.api…) are one server. */
function placeOfBroker({ choice, baseUrl }: BrokerSettings): string {
  if (choice === 'sandbox' || baseUrl === null) return choice;
  return `${choice} at ${new URL(baseUrl).host.replace(/^\d\.(?=.*[a-z])/, '')}`;
}
