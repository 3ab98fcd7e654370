// People and the things they own, made the way a browser makes them where that is quick, else by rows.
import { argon2Sync, randomBytes, randomUUID } from 'node:crypto';
import { createUser } from '../../src/records/identity/users.ts';
import { AGREEMENT_VERSION } from '../../src/rules/provider.ts';
import { QUESTIONS } from '../../src/rules/suitability/questionnaire.ts';
import { instant } from '../../src/units/instant.ts';
import type { TestApp } from './test-app.ts';

export type TestPerson = {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly refresh: string;
};

export const PASSWORD = 'correct horse battery';

/** Of this password at the least cost that argon2id has: a test makes many people, and each real hash takes a twentieth of a second. */
const QUICK_HASH = quickHash(PASSWORD);

function quickHash(password: string): string {
  const nonce = randomBytes(16);
  const tag = argon2Sync('argon2id', {
    message: password,
    nonce,
    memory: 8,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  });
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}`;
}

/** Signed in over HTTP; the link that verifies the address has been followed. */
export async function signedInPerson({ request, records }: TestApp): Promise<TestPerson> {
  const email = `${randomUUID()}@example.test`;
  const id = await createUser(records.database, {
    email,
    passwordHash: QUICK_HASH,
    firstName: 'Ada',
    lastName: '',
  });
  await records.pool.query('update users set email_verified_at = now() where id = $1', [id]);
  const { body } = await request({
    method: 'POST',
    url: '/api/auth/login/',
    body: { email, password: PASSWORD },
  });
  return { id: body.user.id, email, token: body.token, refresh: body.refreshToken };
}

/** The answers that score 1, 2 or 3 in every question. */
export function answersOf(option: 0 | 1 | 2) {
  return Object.fromEntries(
    QUESTIONS.map(({ id, options }) => [id, { value: options[option]!.value, score: 99 }]),
  );
}

/** A person with every gate open: questionnaire, eligibility, agreement, connection. */
export async function readyPerson(app: TestApp): Promise<TestPerson & { readonly connectionId: string }> {
  const person = await unconnectedPerson(app);
  return { ...person, connectionId: await connectBroker(app, person) };
}

/** All that a deployment needs but the connection. */
export async function unconnectedPerson(app: TestApp): Promise<TestPerson> {
  const person = await signedInPerson(app);
  const { token } = person;
  await app.request({
    method: 'POST',
    url: '/api/risk-assessment/',
    token,
    body: { questionnaire_responses: answersOf(2) },
  });
  await app.request({
    method: 'PATCH',
    url: '/api/auth/me/',
    token,
    body: { date_of_birth: '1980-02-29', country: 'CH' },
  });
  await signAgreement(app, person.id);
  return person;
}

export async function signAgreement({ records }: TestApp, userId: string): Promise<void> {
  await records.pool.query(
    `insert into agreements (id, user_id, version, provider, envelope_id, status, document_hash, expires_at, signed_at)
     values ($1, $2, $3, 'embedded', $1::uuid::text, 'signed', 'h', now(), now())`,
    [randomUUID(), userId, AGREEMENT_VERSION],
  );
}

/** In the new window: begin, sign in at the broker, come back. Returns the connection's id. */
export async function connectBroker(app: TestApp, { token }: Pick<TestPerson, 'token'>): Promise<string> {
  // The clock decides which attempt is the newest, and it does not run unless moved.
  app.world.now = instant(app.world.now + 1);
  const broker = await brokerId(app, 'interactive-brokers');
  const begun = await app.request({
    method: 'POST',
    url: '/api/broker-connections/',
    token,
    body: { broker },
  });
  await app.request({ method: 'GET', url: callbackOf(begun.body.authorize_url) });
  const status = await app.request({ method: 'GET', url: '/api/ibkr-status/', token });
  return status.body.broker_connection_id;
}

/** Where the broker sends the new window back to after a sign-in. */
export function callbackOf(authorizeUrl: string): string {
  const page = new URL(authorizeUrl);
  const back = new URL(page.searchParams.get('redirect_uri')!);
  back.searchParams.set('oauth_token', page.searchParams.get('oauth_token')!);
  back.searchParams.set('oauth_verifier', 'v');
  return back.pathname + back.search;
}

export async function brokerId({ records }: TestApp, slug: string): Promise<string> {
  const status = slug === 'interactive-brokers' ? 'available' : 'coming_soon';
  const { rows } = await records.pool.query<{ id: string }>(
    `insert into brokers (id, slug, name, logo, description, broker_type, supported_assets, status, position)
     values ($1, $2, $3, '', '', 'Multi-asset', '{equity,forex,crypto}', $4, 1)
     on conflict (slug) do update set name = excluded.name returning id`,
    [randomUUID(), slug, slug === 'interactive-brokers' ? 'Interactive Brokers' : slug, status],
  );
  return rows[0]!.id;
}
