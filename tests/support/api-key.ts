// An API key as its owner makes one, and acts of it as rows.
import type { KeyScope } from '#rules/api-keys/key-terms.ts';
import type { TestApp } from './test-app.ts';

type Terms = {
  readonly scopes?: readonly KeyScope[];
  readonly budget?: number;
  readonly actsPerDay?: number;
  readonly deployments?: readonly string[];
  /** Acts that it made today already. */
  readonly actsToday?: number;
};

export type TestKey = { readonly id: string; readonly secret: string };

/** Its secret. */
export async function apiKeyOf(app: TestApp, token: string, terms: Terms): Promise<string> {
  return (await makeApiKey(app, token, terms)).secret;
}

export async function makeApiKey(app: TestApp, token: string, terms: Terms): Promise<TestKey> {
  const {
    scopes = ['read', 'practice', 'trade'],
    budget = 1_000_000,
    actsPerDay = 1_000,
    deployments = [],
  } = terms;
  const acts = scopes.some((scope) => scope !== 'read');
  const { status, body, text } = await app.request({
    method: 'POST',
    url: '/api/keys/',
    token,
    body: {
      name: 'Agent',
      scopes,
      expires_in_days: 30,
      ...(acts && { budget, acts_per_day: actsPerDay, deployments }),
    },
  });
  if (status !== 201) throw new Error(`the key was not made: ${text}`);
  await app.records.pool.query(
    `insert into api_key_acts (id, user_id, api_key_id, call, params, body, amount_micro, status, requested_at)
     select gen_random_uuid(), user_id, id, 'watchStrategy', '{}', '{}', 0, 'done', $2
     from api_keys, generate_series(1, $3::int) where id = $1`,
    [body.key.id, new Date(app.world.now), terms.actsToday ?? 0],
  );
  return { id: body.key.id, secret: body.secret };
}
