// People of a campaign: clients over HTTP, by the proxy, with an account at the brokerage of the outside world and two deployments each,
// whose strategies change their minds almost daily.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { withVendorInAccounts } from '#adapters/broker/vendor-in-accounts.ts';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import type { Broker, BrokerCredentials } from '#ports/broker.ts';
import { ANSWER_WITHIN_MS } from '#processes/database/role-database.ts';
import { knownKeys } from '#processes/environment/known-keys.ts';
import { credentialsPurpose, openSecret } from '#records/keys/sealed-secret.ts';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { RESTLESS } from '../kill-campaign/strategies.ts';
import { type Investor, makeInvestor } from '../support/investor.ts';
import { sandboxAdapter } from '../support/sandbox-adapter.ts';
import { insertDeployment, insertStrategy, type TradingPerson } from '../support/trading-rows.ts';
import type { Cluster } from './cluster.ts';

export type Audience = {
  readonly investors: readonly Investor[];
  /** Past the APIs, by the proxy. */
  readonly records: DatabaseHandle;
  readonly auditor: {
    readonly broker: Broker;
    readonly credentialsOf: (connection: string) => BrokerCredentials;
  };
};

export const emailOf = (i: number) => `cluster-${i}@bellwether.example`;

export const VENDOR = 'interactive-brokers';

export async function gatherPeople(cluster: Cluster, people: number): Promise<Audience> {
  const records = openDatabase(cluster.addresses.ownerUrl, {
    onIdleError: () => undefined,
    answerWithinMs: ANSWER_WITHIN_MS,
  });
  const { database, pool } = records;
  const clock = await sandboxFeed(cluster.sandboxUrl).clock();
  if (!clock.ok) throw new Error(clock.message);
  const rows = { database, pool, newId: randomUUID, now: () => clock.value.now };
  const versions: string[] = [];
  for (const definition of RESTLESS) versions.push(await insertStrategy(rows, definition));
  const investors: Investor[] = [];
  for (let i = 0; i < people; i++) {
    const investor = await makeInvestor(cluster.baseUrl, emailOf(i));
    investors.push(investor);
    const { rows: found } = await pool.query<TradingPerson>(
      `select c.user_id as user, c.id as connection, c.account_id as account
       from broker_connections c join users u on u.id = c.user_id where u.email = $1`,
      [emailOf(i)],
    );
    // By rows: these strategies have no evidence that a client could read first.
    for (const version of versions)
      await insertDeployment(rows, version, { person: found[0]!, investment: 10_000, maxAllocation: 50 });
  }
  return { investors, records, auditor: await openAuditor(cluster, records) };
}

async function openAuditor(
  { sandboxUrl, consumerKeys, folder }: Cluster,
  { database, pool }: DatabaseHandle,
) {
  const listed = await sandboxFeed(sandboxUrl).instruments();
  if (!listed.ok) throw new Error(listed.message);
  const dataDir = path.join(folder, 'data');
  const keyEncryptionKeyFile = path.join(dataDir, 'keys', 'key-encryption-key');
  const keys = await knownKeys({ dataDir, keyEncryptionKeyFile, keyService: null }, database).keyring();
  const { rows } = await pool.query<{ id: string; sealed: Buffer }>(
    'select id, sealed_credentials as sealed from broker_connections',
  );
  const credentials = new Map<string, BrokerCredentials>();
  for (const { id, sealed } of rows) {
    const plain = await openSecret(sealed, {
      keys,
      purpose: credentialsPurpose({ id: id as never, vendor: VENDOR }),
    });
    credentials.set(id, JSON.parse(plain) as BrokerCredentials);
  }
  return {
    // As the product names accounts.
    broker: withVendorInAccounts(
      sandboxAdapter({ address: sandboxUrl, keys: consumerKeys, instruments: listed.value }),
    ),
    credentialsOf: (connection: string) => credentials.get(connection)!,
  };
}
