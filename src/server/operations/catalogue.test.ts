import { expect, test } from 'vitest';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { agree, decide, propose } from '#tests/support/two-people.ts';

const app = await testApp();
const { pool } = app.records;

async function provider() {
  const person = await signedInPerson(app);
  await giveRole(app.records, person, 'provider');
  return person;
}
const [ada, ben] = [await provider(), await provider()];
const catalogue = async (token: string) =>
  (await app.request({ method: 'GET', url: '/api/operations/catalogue/', token })).body as {
    id: string;
    status: string;
    author: string | null;
    proposal: { action: string; is_own: boolean } | null;
  }[];
const entry = async (id: string, token = ada.token) => (await catalogue(token)).find((one) => one.id === id);

async function draftOf(owner: { id: string }): Promise<string> {
  const id = await publishedStrategy(app, { status: 'draft' });
  await pool.query('update strategies set owner_id = $1 where id = $2', [owner.id, id]);
  return id;
}

test('one of the provider proposes to publish, a colleague reads the draft and approves; retiring takes two as well', async () => {
  const id = await draftOf(ada);
  expect(await entry(id)).toMatchObject({
    status: 'draft',
    author: ada.email,
    has_result: true,
    proposal: null,
  });
  const proposed = await propose(app, ada, { action: 'publish', subject: id });
  expect(proposed.status, proposed.text).toBe(201);
  expect((await catalogue(ben.token))[0]).toMatchObject({
    id,
    proposal: { action: 'publish', is_own: false },
  });
  expect(await entry(id)).toMatchObject({ proposal: { is_own: true } });
  const read = await app.request({ method: 'GET', url: `/api/strategies/${id}/`, token: ben.token });
  expect(read.status).toBe(200);
  expect(await decide(app, ada, { id: proposed.body.id })).toMatchObject({ status: 403 });
  expect(await decide(app, ben, { id: proposed.body.id })).toMatchObject({ status: 200 });
  expect(await entry(id)).toMatchObject({ status: 'published', author: null, proposal: null });
  expect(await agree(app, [ben, ada], { action: 'retire', subject: id })).toMatchObject({ status: 200 });
  expect(await entry(id)).toMatchObject({ status: 'retired' });
});

test('a draft of a client is neither in the catalogue nor to be read by the provider', async () => {
  const client = await signedInPerson(app);
  const id = await draftOf(client);
  expect(await entry(id)).toBeUndefined();
  const read = await app.request({ method: 'GET', url: `/api/strategies/${id}/`, token: ada.token });
  expect(read.status).toBe(404);
  const own = await draftOf(ada);
  const strange = await app.request({ method: 'GET', url: `/api/strategies/${own}/`, token: client.token });
  expect(strange.status).toBe(404);
});
