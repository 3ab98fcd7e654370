import { expect, test } from 'vitest';
import type { Portfolio } from '#contract/portfolio.ts';
import { testApp } from '#tests/support/test-app.ts';
import { tradedDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson } from '#tests/support/test-person.ts';

const app = await testApp();
const { records, request } = app;
const read = async (token: string) => (await request({ url: '/api/portfolio/', token })).body as Portfolio;

test('what is held, how far it fell, and what was said to be bearable', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  await records.pool.query(`update deployments set deployed_at = '2026-01-05T15:00Z' where id = $1`, [
    deploymentId,
  ]);
  const { token } = person;
  const portfolio = await read(token);
  expect(portfolio).toMatchObject({
    value: 10_318,
    as_of: expect.stringMatching(/^2026-01-\d\dT/),
    cash: 7_798,
    by_kind: [{ kind: 'equity', long: 2_520, short: 0 }],
    by_instrument: [{ ticker: 'SPY', long: 2_520, short: 0 }],
    pairs: [],
    drawdown: { peak: '2026-01-07', trough: '2026-01-08' },
  });
  expect(portfolio.by_kind[0]!.net_percent).toBeCloseTo((2_520 / 10_318) * 100, 9);
  // From 10,408 on the 7th to 10,318 now.
  expect(portfolio.drawdown!.now_percent).toBeCloseTo((10_318 / 10_408 - 1) * 100, 9);
  const { rows } = await records.pool.query(
    `select max_drawdown_tolerance as stated from risk_profiles p join deployments d on d.user_id = p.user_id where d.id = $1`,
    [deploymentId],
  );
  expect(portfolio.stated_maximum_percent).toBe(rows[0].stated);
});

test('one that has ended is no longer held, and its fall still counts', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  await records.pool.query(
    `update deployments set status = 'stopped', ended_at = marked_at, revision = revision + 1 where id = $1`,
    [deploymentId],
  );
  const portfolio = await read(person.token);
  expect(portfolio).toMatchObject({ value: 0, deployments: [], by_kind: [] });
  expect(portfolio.drawdown!.now_percent).toBeLessThan(0);
});

test('who has deployed nothing has an empty one', async () => {
  const { token } = await signedInPerson(app);
  expect(await read(token)).toEqual({
    value: 0,
    as_of: null,
    cash: 0,
    deployments: [],
    by_kind: [],
    by_instrument: [],
    pairs: [],
    drawdown: null,
    stated_maximum_percent: null,
  });
});
