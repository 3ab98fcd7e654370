import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { STATEMENT_TEMPLATE } from '#rules/agreements/investment-agreement.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { type Environment, readEnvironment } from '../environment/environment.ts';
import { refuseOtherBrokers } from './refuse-other-brokers.ts';

const handle = await testDatabase();

test('a provider does not take over the data of one person’s own installation', async () => {
  const own: Environment = readEnvironment({ APCA_API_KEY_ID: 'PK1', APCA_API_SECRET_KEY: 'of my own' });
  expect(own.installation).toBe('own');
  const provider: Environment = { ...own, installation: 'provider' };
  await refuseOtherBrokers(provider, handle);
  const owner = randomUUID();
  await handle.pool.query(
    `insert into users (id, email, password_hash, first_name) values ($1, 'owner@own.example', 'x', 'Owner')`,
    [owner],
  );
  await handle.pool.query(
    `insert into agreements (id, user_id, version, provider, envelope_id, status, document_hash, expires_at, signed_at, content)
     values ($1, $2, $3, 'embedded', 'e', 'signed', 'h', now(), now(), $4)`,
    [randomUUID(), owner, AGREEMENT_VERSION, { agreement: { template: STATEMENT_TEMPLATE } }],
  );
  await refuseOtherBrokers(own, handle);
  await expect(refuseOtherBrokers(provider, handle)).rejects.toThrow(
    'is of an installation that one person runs for themselves',
  );
});
