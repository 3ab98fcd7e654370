import { countUnnamedAccounts, permitBrokers } from '#records/brokerage/permitted-brokers.ts';
import { noteInstallation } from '#records/operations/installation-note.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { findOwnerRights, PRODUCT_ROLE } from '#records/postgres/product-role.ts';
import { API_ROLE } from '#records/postgres/row-scope.ts';
import type { Installation } from '#rules/installation.ts';
import { placeOf } from '../database/world-database.ts';
import type { BrokerSettings } from '../environment/broker-settings.ts';
import type { Environment } from '../environment/environment.ts';

/**
 * Throws an Error that says what to do when the database is of another installation, or holds permissions for a broker that is
 * not set up: another one would be shown them, and its refusal would end them; or nobody would look after what they trade.
 */
export async function refuseOtherBrokers(environment: Environment, handle: DatabaseHandle): Promise<void> {
  await refuseOwner(environment, handle);
  await refuseOtherInstallation(environment, handle);
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

/** Where money is real, whoever runs inside the product can neither change its schema nor switch its guards off. */
async function refuseOwner({ installation }: Environment, { database }: DatabaseHandle): Promise<void> {
  if (installation === 'demonstration') return;
  const name = await findOwnerRights(database);
  if (name === null) return;
  throw new Error(
    `DATABASE_URL signs in as ${name}, who may change the schema. Make another user, grant it the roles ${PRODUCT_ROLE} and ${API_ROLE}, and set ` +
      'DATABASE_URL to that one; the owner belongs into DATABASE_OWNER_URL of npm run catalogue',
  );
}

/**
 * The demonstration has people whose passwords everyone knows; who runs the product for themselves signed no agreement, and
 * nothing of what they earned is to be billed.
 */
export async function refuseOtherInstallation(
  environment: Pick<Environment, 'installation' | 'databaseUrl' | 'dataDir'>,
  { database }: Pick<DatabaseHandle, 'database'>,
): Promise<void> {
  const noted = await noteInstallation(database, environment.installation);
  if (noted === environment.installation) return;
  throw new Error(
    `${placeOf(environment)} is of ${INSTALLATION_NAMES[noted]}, and the settings make this one ${INSTALLATION_NAMES[environment.installation]}. ` +
      'Start with another folder (DATA_DIR) or database (DATABASE_URL), or set MARKET, HOST and BROKER as before.',
  );
}

const INSTALLATION_NAMES: Readonly<Record<Installation, string>> = {
  demonstration: 'the demonstration',
  provider: 'a provider with clients',
  own: 'an installation that one person runs for themselves',
};

/** The sandbox may move to another port; a vendor's numbered hosts (1.api…, 2.api…) are one server. */
function placeOfBroker({ choice, baseUrl }: BrokerSettings): string {
  if (choice === 'sandbox' || baseUrl === null) return choice;
  return `${choice} at ${new URL(baseUrl).host.replace(/^\d\.(?=.*[a-z])/, '')}`;
}
