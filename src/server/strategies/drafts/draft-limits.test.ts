import { expect, test } from 'vitest';
import { DRAFT_VERSIONS_MAX, DRAFTS_MAX } from '#rules/strategies/draft-limits.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { EVERY_ENDPOINT } from '#contract/every-endpoint.ts';
import { DRAFT, listInstruments } from '../../../../tests/api/scene.ts';
import { prepare } from '../../../../tests/api/send.ts';

const app = await testApp();
const { pool } = app.records;
await listInstruments(app);

const write = async (token: string) =>
  app.request(await prepare(EVERY_ENDPOINT.createStrategy, { token, form: DRAFT }));

test('of many drafts written at once, only as many are kept as one person may have', async () => {
  const { token, id } = await signedInPerson(app);
  await pool.query(
    `insert into strategies (id, slug, owner_id, name, short_description, description, kind, strategy_type, market,
       risk_level, risk_score, min_investment_micro, status)
     select id, id::text, $1, 'Mine', '', '', 'equity', 'momentum', 'us', 'low', 1, 1, 'draft'
     from (select gen_random_uuid() as id from generate_series(1, $2::int)) made`,
    [id, DRAFTS_MAX - 1],
  );
  const answers = await Promise.all([write(token), write(token), write(token)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
  expect(answers.find(({ status }) => status === 422)?.body).toEqual({
    code: 'draft_limit',
    message: `You have ${DRAFTS_MAX} drafts, as many as one person may have. Remove one first.`,
  });
  // Nobody else is held up by it.
  expect((await write((await signedInPerson(app)).token)).status).toBe(201);
});

test('a draft has only so many versions; other fields can still be changed', async () => {
  const { token } = await signedInPerson(app);
  const { id } = (await write(token)).body;
  await pool.query('update strategy_versions set number = $2 where strategy_id = $1', [
    id,
    DRAFT_VERSIONS_MAX,
  ]);
  const change = async (form: Record<string, string>) =>
    app.request(await prepare(EVERY_ENDPOINT.changeStrategy, { token, params: { id }, form }));
  const another = JSON.stringify({ ...JSON.parse(DRAFT.definition), name: 'Another' });
  expect(await change({ definition: another })).toMatchObject({
    status: 422,
    body: { code: 'draft_limit', field: 'definition' },
  });
  expect((await change({ name: 'Renamed' })).status).toBe(200);
});
