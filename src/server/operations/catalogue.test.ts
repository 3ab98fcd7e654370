import { expect, test } from 'vitest';
import { attackedDraft, checkedDraft } from '#tests/support/checked-draft.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson, unconnectedPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { agree, decide, LOOKED, propose } from '#tests/support/two-people.ts';

const app = await testApp();
const { pool } = app.records;

async function provider() {
  const person = await signedInPerson(app);
  await giveRole(app.records, person, 'provider');
  return person;
}
const [ada, ben] = [await provider(), await provider()];
const catalogue = async (token: string) =>
  (await app.request({ method: 'GET', url: '/api/operations/catalogue/', token })).body.strategies as {
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
  await checkedDraft(app, id);
  const proposed = await propose(app, ada, { action: 'publish', subject: id });
  expect(proposed.status, proposed.text).toBe(201);
  expect((await catalogue(ben.token))[0]).toMatchObject({
    id,
    proposal: { action: 'publish', is_own: false },
  });
  expect(await entry(id)).toMatchObject({ proposal: { is_own: true } });
  const read = await app.request({ method: 'GET', url: `/api/strategies/${id}/`, token: ben.token });
  expect(read.status).toBe(200);
  const by = (who: { token: string }, body: object) => decide(app, who, { id: proposed.body.id, body });
  expect(await by(ada, LOOKED)).toMatchObject({ status: 403 });
  expect(await by(ben, { decision: 'approve' })).toMatchObject({
    status: 400,
    body: { code: 'invalid_field', field: 'reason', message: expect.stringContaining('what you looked at') },
  });
  expect(await entry(id)).toMatchObject({ status: 'draft' });
  expect(await by(ben, LOOKED)).toMatchObject({ status: 200, body: { outcome: LOOKED.reason } });
  expect(await by(ben, LOOKED), 'its answer was lost').toMatchObject({ status: 200 });
  expect(await by(ben, { ...LOOKED, reason: 'another word' })).toMatchObject({ status: 409 });
  expect(await entry(id)).toMatchObject({ status: 'published', author: null, proposal: null });
  const retiring = await propose(app, ben, { action: 'retire', subject: id });
  expect(await decide(app, ada, { id: retiring.body.id, body: LOOKED }), 'no word is lost').toMatchObject({
    status: 400,
    body: { field: 'reason', message: 'This proposal is approved without a reason.' },
  });
  expect(await decide(app, ada, { id: retiring.body.id })).toMatchObject({ status: 200 });
  expect(await entry(id)).toMatchObject({ status: 'retired' });
});

test('who wrote a draft does not approve it, whoever proposed it', async () => {
  const id = await draftOf(ada);
  await checkedDraft(app, id);
  const proposed = await propose(app, ben, { action: 'publish', subject: id });
  expect(proposed.status, proposed.text).toBe(201);
  const by = (who: { token: string }, body: object) => decide(app, who, { id: proposed.body.id, body });
  expect(await by(ada, LOOKED)).toMatchObject({
    status: 403,
    body: { message: 'You wrote it. A colleague must approve it.' },
  });
  expect(await entry(id)).toMatchObject({ status: 'draft' });
  expect(await by(await provider(), LOOKED)).toMatchObject({ status: 200 });
  expect(await entry(id)).toMatchObject({ status: 'published' });
});

test('a draft is not published before it was attacked, nor against the verdict without the name of its author', async () => {
  const id = await draftOf(ada);
  const asked = () => propose(app, ada, { action: 'publish', subject: id });
  const accept = ({ token }: { token: string }, verdict: string) =>
    app.request({
      method: 'POST',
      url: `/api/strategies/${id}/attack/accept/`,
      token,
      body: { verdict, name: 'Ada Lovelace' },
    });
  await pool.query(`update users set first_name = 'Ada', last_name = 'Lovelace' where id = $1`, [ada.id]);
  expect(await asked()).toMatchObject({
    status: 409,
    body: {
      code: 'illegal_move',
      message: 'Nobody has attacked it yet: its author opens the draft and attacks it.',
    },
  });
  await attackedDraft(app, id, 'doubtful');
  expect(await asked()).toMatchObject({
    status: 409,
    body: {
      code: 'illegal_move',
      message: expect.stringContaining('found “Doubtful”: its author accepts that by name'),
    },
  });
  expect(await accept(ben, 'doubtful'), 'only the author').toMatchObject({ status: 404 });
  // Nor does the name of another count, however it came to be kept.
  await pool.query(
    `insert into attack_acceptances (attack_id, user_id, verdict, name) select id, $2, verdict, 'Ben' from attacks
     where strategy_version_id = (select id from strategy_versions where strategy_id = $1)`,
    [id, ben.id],
  );
  expect(await asked()).toMatchObject({ status: 409 });
  expect(await accept(ada, 'doubtful')).toMatchObject({ status: 200 });
  const desk = await app.request({ url: `/api/operations/catalogue/${id}/`, token: ben.token });
  expect(desk.body.checks).toMatchObject({
    note: null,
    attack: { verdict: 'doubtful', word: 'Doubtful' },
    accepted: { name: 'Ada Lovelace' },
    published: null,
  });
  const first = await asked();
  expect(first.status, first.text).toBe(201);
  const { rows: logged } = await pool.query(
    `select actor, details::jsonb as details from audit_log where action = 'attack_acceptance.created' or action = 'proposal.created'
     order by seq desc limit 2`,
  );
  expect(logged).toMatchObject([
    { details: { to: { seen: expect.stringMatching(/ attack [0-9a-f-]+ doubtful, accepted 20/) } } },
    { actor: `client:${ada.id}`, details: { to: { verdict: 'doubtful' } } },
  ]);
  // A worse verdict comes in between: what the second person would approve is no longer what was proposed.
  await attackedDraft(app, id, 'do_not_deploy');
  expect(await decide(app, ben, { id: first.body.id, body: LOOKED })).toMatchObject({
    status: 409,
    body: { code: 'already_decided' },
  });
  expect(await entry(id)).toMatchObject({ status: 'draft', proposal: null });
  expect(await asked(), 'the name was for another verdict').toMatchObject({ status: 409 });
  expect(await accept(ada, 'do_not_deploy')).toMatchObject({ status: 200 });
  expect(await agree(app, [ada, ben], { action: 'publish', subject: id })).toMatchObject({ status: 200 });
  expect(await entry(id)).toMatchObject({ status: 'published' });
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

test('two of the provider hide hypothetical figures from an audience, and every call keeps to it', async () => {
  const id = await publishedStrategy(app);
  const [swiss, indian] = [await unconnectedPerson(app), await unconnectedPerson(app)];
  await pool.query(`update users set country = 'IN' where id = $1`, [indian.id]);
  const asks: readonly (readonly ['GET' | 'POST', string])[] = [
    ['GET', '/api/strategies/'],
    ['POST', '/api/strategies/filter/'],
    ['GET', `/api/strategies/${id}/`],
    ['GET', `/api/strategies/${id}/performance/`],
    ['GET', `/api/strategies/${id}/trades/`],
    ['GET', `/api/strategies/${id}/evidence/`],
    ['GET', `/api/strategies/${id}/evidence/data/`],
  ];
  const answersTo = async (token?: string) => {
    const answers = [];
    for (const [method, url] of asks)
      answers.push(
        await app.request({ method, url, ...(token && { token }), ...(method === 'POST' && { body: {} }) }),
      );
    return answers.map(({ status, body }) => [status, body.code]);
  };
  const all = (status: number, code?: string) => asks.map(() => [status, code]);
  expect(await answersTo()).toEqual(all(200));
  expect(await agree(app, [ada, ben], { action: 'hide_figures', subject: 'client IN' })).toMatchObject({
    status: 200,
  });
  expect(await answersTo(indian.token)).toEqual(all(403, 'figures_hidden'));
  expect(await answersTo(swiss.token)).toEqual(all(200));
  expect(await answersTo()).toEqual(all(200));
  expect(
    await agree(app, [ada, ben], { action: 'hide_figures', subject: 'visitor everywhere' }),
  ).toMatchObject({
    status: 200,
  });
  expect(await answersTo()).toEqual(all(403, 'figures_hidden'));
  const log = await app.request({ method: 'GET', url: `/api/strategies/${id}/strategy_trades_csv` });
  expect(log).toMatchObject({ status: 403, body: { code: 'figures_hidden' } });
  expect(log.body.message).toMatch(/hypothetical.*Please sign in/);
  const { rows: kept } = await pool.query(
    `select outcome, rule_version, inputs, reasons from eligibility_decisions
     where user_id = $1 and rule = 'hypothetical_figures' order by id`,
    [indian.id],
  );
  expect(kept).toEqual([
    {
      outcome: 'refused',
      rule_version: expect.stringMatching(/^2026-06, switch \d+$/),
      inputs: { status: 'client', country: 'IN' },
      reasons: ['switched_off'],
    },
  ]);
  expect(await propose(app, ada, { action: 'hide_figures', subject: 'client IN' })).toMatchObject({
    status: 409,
  });
  expect(await propose(app, ada, { action: 'hide_figures', subject: 'visitor US' })).toMatchObject({
    status: 404,
  });
  const { body } = await app.request({ method: 'GET', url: '/api/operations/catalogue/', token: ada.token });
  expect(body.figure_audiences).toContainEqual({
    key: 'client IN',
    name: 'clients in India',
    is_shown: false,
    proposal: null,
  });
  await agree(app, [ben, ada], { action: 'show_figures', subject: 'client IN' });
  await agree(app, [ben, ada], { action: 'show_figures', subject: 'visitor everywhere' });
  expect(await answersTo(indian.token)).toEqual(all(200));
  expect(await answersTo()).toEqual(all(200));
});
