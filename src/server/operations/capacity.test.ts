import { expect, test } from 'vitest';
import { giveRole } from '#tests/support/give-role.ts';
import { deployTo } from '#tests/support/test-deployment.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';

const app = await testApp();

const ESTIMATE = {
  kind: 'estimated',
  amount: 1_000_000,
  low: 440_000,
  high: 4_000_000,
  bound: 'impact',
  tradedPerYear: 6,
  orders: 100,
} as const;

async function provider() {
  const person = await signedInPerson(app);
  await giveRole(app.records, person, 'provider');
  return person;
}
const shown = async (id: string) =>
  (await app.request({ method: 'GET', url: `/api/strategies/${id}/` })).body.capacity as Record<
    string,
    unknown
  >;
const limit = (token: string, id: string, dollars: number | null) =>
  app.request({
    method: 'PATCH',
    url: `/api/operations/catalogue/${id}/capacity/`,
    token,
    body: { limit: dollars },
  });

test('anyone sees what a strategy takes beside what is in it; practice is not counted', async () => {
  const id = await publishedStrategy(app, { capacity: ESTIMATE });
  expect(await shown(id)).toMatchObject({ amount: 1_000_000, deployed: 0, own_limit: null, is_full: false });
  const made = await deployTo(app, id);
  expect(made.status, made.text).toBe(201);
  expect(await shown(id)).toMatchObject({ deployed: 10_000 });
});

test('its provider takes less, never more than is estimated, and who did is in the audit log', async () => {
  const ada = await provider();
  const id = await publishedStrategy(app, { capacity: ESTIMATE });
  const more = await limit(ada.token, id, 1_000_001);
  expect(more).toMatchObject({ status: 422, body: { code: 'out_of_range', field: 'limit' } });
  expect(more.body.message).toBe('It is estimated to take $1,000,000: enter that or less.');
  const less = await limit(ada.token, id, 200_000);
  expect(less).toMatchObject({ status: 200, body: { capacity: { amount: 200_000, own_limit: 200_000 } } });
  expect(await shown(id)).toMatchObject({ amount: 200_000 });
  const { rows } = await app.records.pool.query(
    `select actor, details::jsonb -> 'to' ->> 'limit_micro' as limit from audit_log
     where action = 'capacity_limit.created'`,
  );
  expect(rows).toEqual([{ actor: `staff:${ada.email}`, limit: '200000000000' }]);
  expect(await limit(ada.token, id, null)).toMatchObject({ body: { capacity: { amount: 1_000_000 } } });
  const client = await signedInPerson(app);
  expect(await limit(client.token, id, 1)).toMatchObject({ status: 404 });
});

test('what is not known limits nothing, and a limit of the provider does', async () => {
  const ada = await provider();
  const id = await publishedStrategy(app);
  expect(await shown(id)).toMatchObject({ amount: null, estimate: null, is_full: false });
  expect(await limit(ada.token, id, 4_000)).toMatchObject({
    body: { capacity: { amount: 4_000, is_full: true } },
  });
});
