import { expect, test } from 'vitest';
import { recordAdvice } from '#records/suitability/advice-records.ts';
import { publishStrategy } from '#records/strategies/catalogue.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import { answersOf, signedInPerson } from '#tests/support/test-person.ts';
import { setStatus } from '#tests/support/deployment-commands.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import type { DeploymentId, StrategyId } from '#units/identifiers.ts';

const app = await testApp();
const { pool, database } = app.records;

const adviceOf = async (token: string) =>
  (await app.request({ method: 'GET', url: '/api/advice/', token })).body as Record<string, unknown>[];

const decisionsOf = async (id: string) =>
  (
    await pool.query(
      'select rule, rule_version, occasion, outcome, reasons, inputs from eligibility_decisions where user_id = $1 order by id',
      [id],
    )
  ).rows;

const answer = (token: string, option: 0 | 1 | 2) =>
  app.request({
    method: 'POST',
    url: '/api/risk-assessment/',
    token,
    body: { questionnaire_responses: answersOf(option) },
  });

test('deploying, resuming and every changed score leave a record of advice with what was known', async () => {
  const { person, deploymentId } = await newDeployment(app);
  const { token } = person;
  expect(await adviceOf(token)).toMatchObject([
    { occasion: 'deploy', outcome: 'suitable', deployment: deploymentId, client_score: 5, strategy_score: 3 },
  ]);

  await setStatus(pool, deploymentId, 'paused');
  await app.request({ method: 'POST', url: `/api/deployments/${deploymentId}/resume/`, token });
  expect((await adviceOf(token))[0]).toMatchObject({ occasion: 'resume', outcome: 'suitable' });

  await answer(token, 2);
  expect(await adviceOf(token)).toHaveLength(2);
  await answer(token, 0);
  expect((await adviceOf(token))[0]).toMatchObject({
    occasion: 'client_score',
    outcome: 'not_suitable',
    client_score: 1,
    tolerance: 10,
    text: expect.stringContaining('does not suit you'),
  });
});

test('a changed score of a strategy is advised on to everybody who has it, in the same transaction', async () => {
  const first = await newDeployment(app);
  const other = await newDeployment(app);
  const { rows } = await pool.query('select strategy_id from deployments where id = $1', [
    first.deploymentId,
  ]);
  const strategyId = rows[0].strategy_id as StrategyId;
  await database.transaction().execute(async (trx) => {
    expect(await publishStrategy(trx, strategyId, { level: 'medium', score: 3 })).toBe(false);
    expect(await publishStrategy(trx, strategyId, { level: 'high', score: 5 })).toBe(true);
    await recordAdvice(trx, { strategyId }, 'strategy_score');
  });
  expect((await adviceOf(first.person.token))[0]).toMatchObject({
    occasion: 'strategy_score',
    strategy_score: 5,
  });
  expect(await adviceOf(other.person.token)).toHaveLength(1);
});

test('all deployments count together: two that each suit can be more than the person can bear', async () => {
  const { person, deploymentId } = await newDeployment(app);
  await pool.query(
    `update backtests b set figures = jsonb_set(figures, '{max_drawdown}', '60') from deployments d
     where d.id = $1 and b.strategy_version_id = d.strategy_version_id`,
    [deploymentId],
  );
  await database
    .transaction()
    .execute((trx) => recordAdvice(trx, { deploymentId: deploymentId as DeploymentId }, 'resume'));
  expect((await adviceOf(person.token))[0]).toMatchObject({
    outcome: 'beyond_joint_tolerance',
    joint_fall: 60,
    tolerance: 35,
  });
});

test('a deployment that was advised against is not made, and the advice is kept', async () => {
  const { person } = await newDeployment(app);
  const { body: connections } = await app.request({
    method: 'GET',
    url: '/api/broker-connections/',
    token: person.token,
  });
  await answer(person.token, 0);
  const { status } = await app.request({
    method: 'POST',
    url: '/api/deployments/',
    token: person.token,
    body: {
      strategy: await publishedStrategy(app, { riskScore: 5, name: 'Wild' }),
      broker_connection: connections[0].id,
      investment_amount: 10_000,
      stop_loss_percentage: 10,
      max_allocation_per_trade: 20,
      freeze_on_drawdown: 25,
    },
  });
  expect(status).toBe(422);
  expect((await adviceOf(person.token))[0]).toMatchObject({
    strategy_name: 'Wild',
    deployment: null,
    occasion: 'deploy',
    outcome: 'not_suitable',
  });
});

test('each decision on eligibility is kept with its rule, version and inputs, refused ones too', async () => {
  const { token, id } = await signedInPerson(app);
  const change = (body: Record<string, string>) =>
    app.request({ method: 'PATCH', url: '/api/auth/me/', token, body });
  await change({ date_of_birth: '2020-01-01', country: 'US' });
  await change({ date_of_birth: '1980-02-29', country: 'US' });
  expect(await decisionsOf(id)).toMatchObject([
    {
      rule: 'investing',
      rule_version: '2026-06',
      occasion: 'details',
      outcome: 'refused',
      reasons: ['too_young'],
    },
    { outcome: 'allowed', reasons: [], inputs: { date_of_birth: '1980-02-29', country: 'US' } },
  ]);
  await expect(pool.query('update eligibility_decisions set outcome = $1', ['allowed'])).rejects.toThrow(
    'append-only',
  );
});

test('a statement of a qualified client is kept with its words, and can be withdrawn', async () => {
  const { token, id } = await signedInPerson(app);
  const url = '/api/eligibility/qualified_client/';
  const eligibility = async () =>
    (await app.request({ method: 'GET', url: '/api/eligibility/', token })).body;
  await app.request({
    method: 'PATCH',
    url: '/api/auth/me/',
    token,
    body: { date_of_birth: '1980-02-29', country: 'US' },
  });
  expect((await eligibility()).performance_fee).toMatchObject({ is_charged: false, needs_attestation: true });
  const body = { basis: 'net_worth', agrees: true };
  expect((await app.request({ method: 'POST', url, token, body: { ...body, agrees: false } })).status).toBe(
    400,
  );
  const { body: stated } = await app.request({ method: 'POST', url, token, body });
  expect(stated.performance_fee).toMatchObject({ is_charged: true, attested_basis: 'net_worth' });
  const { rows } = await pool.query('select text, address from attestations where user_id = $1', [id]);
  expect(rows).toMatchObject([{ text: expect.stringContaining('$2,700,000'), address: '127.0.0.1' }]);
  expect((await app.request({ method: 'DELETE', url, token })).status).toBe(204);
  expect((await eligibility()).performance_fee).toMatchObject({ is_charged: false, attested_basis: null });
  expect((await app.request({ method: 'DELETE', url, token })).status).toBe(404);
});
