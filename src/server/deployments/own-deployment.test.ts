import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { endIncident, openIncident } from '#records/incidents/incidents.ts';
import { requestStatus, setStatus } from '#tests/support/deployment-commands.ts';
import { cashOf, reportCash, testApp } from '#tests/support/test-app.ts';
import { newDeployment, tradedDeployment } from '#tests/support/test-deployment.ts';
import { readyPerson, signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { wallInstant } from '#units/wall-instant.ts';

const app = await testApp();

describe('who is not its owner', async () => {
  const { request } = app;
  const { pool } = app.served;
  const { deploymentId } = await tradedDeployment(app);
  const stranger = await signedInPerson(app);

  /** The statements that a request runs, by name or text. */
  async function statementsOf(method: 'GET' | 'POST', url: string): Promise<unknown[]> {
    await request({ url: '/api/auth/me/', token: stranger.token });
    const asked: unknown[] = [];
    const spied = vi.spyOn(pool, 'query').mockImplementation(((
      statement: { name?: string; text?: string },
      ...rest: unknown[]
    ) => {
      asked.push(typeof statement === 'string' ? statement : (statement.name ?? statement.text));
      return original(statement, ...rest);
    }) as never);
    expect((await request({ method, url, token: stranger.token })).status).toBe(404);
    spied.mockRestore();
    return asked;
  }
  const original = pool.query.bind(pool) as (...words: unknown[]) => unknown;

  test.each([
    ['GET', ''],
    ['GET', 'performance'],
    ['GET', 'position_summary/'],
    ['GET', 'trades/'],
    ['GET', 'decisions/'],
    ['GET', 'decisions/1/'],
    ['GET', 'decisions/1/inputs/'],
    ['GET', 'decisions/1/bars/'],
    ['GET', 'next-decision/'],
  ] as const)(
    '%s %s of someone else’s deployment asks the database what an absent one asks, and no more',
    async (method, end) => {
      const foreign = await statementsOf(method, `/api/deployments/${deploymentId}/${end}`);
      const absent = await statementsOf(method, `/api/deployments/${randomUUID()}/${end}`);
      expect(foreign.length).toBeGreaterThan(0);
      expect(foreign).toEqual(absent);
    },
  );
});

describe('a request to liquidate', () => {
  const { request, records } = app;
  const liquidate = (id: string, token: string) =>
    request({ method: 'POST', url: `/api/deployments/${id}/liquidate/`, token });
  const notices = async (id: string) =>
    (await records.pool.query('select kind from notifications where deployment_id = $1', [id])).rows;

  test('a request is recorded once, shown, notified, and sells nothing', async () => {
    const { person, deploymentId } = await tradedDeployment(app);
    const before = await request({ url: `/api/deployments/${deploymentId}/`, token: person.token });
    expect(before.body.liquidation_requested_at).toBeNull();
    const asked = await liquidate(deploymentId, person.token);
    expect(asked).toMatchObject({
      status: 200,
      body: {
        status: 'active',
        requested_status: null,
        liquidation_requested_at: '2026-01-05T15:00:00.000Z',
      },
    });
    expect((await liquidate(deploymentId, person.token)).body).toEqual(asked.body);
    expect(await notices(deploymentId)).toEqual([{ kind: 'liquidation_requested' }]);
    const { rows } = await app.records.pool.query('select status from liquidation_requests');
    expect(rows).toEqual([{ status: 'open' }]);
  });

  test('a deployment that has not begun or has ended cannot be liquidated', async () => {
    const { person, deploymentId } = await newDeployment(app);
    expect(await liquidate(deploymentId, person.token)).toMatchObject({
      status: 409,
      body: { code: 'illegal_move', message: expect.stringContaining('has not started') },
    });
    await setStatus(records.pool, deploymentId, 'stopped');
    expect((await liquidate(deploymentId, person.token)).status).toBe(409);
  });

  test('a liquidation approved by support is not undone by another command', async () => {
    const { person, deploymentId } = await tradedDeployment(app);
    await requestStatus(records.pool, deploymentId, 'liquidated');
    for (const action of ['pause', 'stop', 'liquidate']) {
      const url = `/api/deployments/${deploymentId}/${action}/`;
      expect(await request({ method: 'POST', url, token: person.token })).toMatchObject({
        status: 409,
        body: { code: 'illegal_move', message: expect.stringContaining('approved') },
      });
    }
  });

  test("another user's deployment gets the same answer as an absent one, and is unchanged", async () => {
    const { deploymentId } = await tradedDeployment(app);
    const { token } = await signedInPerson(app);
    const theirs = await liquidate(deploymentId, token);
    expect(theirs.status).toBe(404);
    expect(theirs.text).toBe((await liquidate(randomUUID(), token)).text);
    expect(await notices(deploymentId)).toEqual([]);
  });

  test('is taken however many were asked for over one connection before', async () => {
    for (let i = 0; i < 8; i++) {
      const { person, deploymentId } = await tradedDeployment(app);
      expect((await liquidate(deploymentId, person.token)).status).toBe(200);
    }
  });
});

test('a position says on its own row that its stop could not be placed, for as long as that is so', async () => {
  const { request, records } = app;
  const { person, deploymentId } = await tradedDeployment(app);
  const shown = async () => {
    const { body } = await request({ url: `/api/deployments/${deploymentId}/`, token: person.token });
    return body.positions.map(({ unprotected }: { unprotected: boolean }) => unprotected);
  };
  const [{ symbol }] = (
    await records.pool.query(`select symbol from positions where deployment_id = $1`, [deploymentId])
  ).rows as [{ symbol: Symbol }];
  const at = wallInstant(Date.UTC(2026, 0, 5));
  const task = { kind: 'position_unprotected', subject: deploymentId, symbol } as const;
  expect(await shown()).toEqual([false]);
  await openIncident(
    records.database,
    { ...task, deploymentId: deploymentId as DeploymentId, facts: { reason: 'rejected' } },
    at,
  );
  expect(await shown()).toEqual([true]);
  await endIncident(records.database, task, { how: 'cleared', at });
  expect(await shown()).toEqual([false]);
});

test('a position for whose kind the broker takes no stop says so, and so does its deployment', async () => {
  const { request, records } = app;
  const { person, deploymentId } = await tradedDeployment(app);
  const shown = async () =>
    (await request({ url: `/api/deployments/${deploymentId}/`, token: person.token })).body;
  const [{ symbol }] = (
    await records.pool.query(`select symbol from positions where deployment_id = $1`, [deploymentId])
  ).rows as [{ symbol: Symbol }];
  const kindIs = (kind: string, stopLoss: number) =>
    records.pool.query(
      `with kept as (update instruments set kind = $2 where symbol = $3)
       update deployments set stop_loss_percentage = $4, revision = revision + 1 where id = $1`,
      [deploymentId, kind, symbol, stopLoss],
    );
  await kindIs('crypto', 10);
  expect(await shown()).toMatchObject({
    positions: [{ unprotected: true }],
    status_reason: `Interactive Brokers takes no protective stop for ${symbol}. We watch the stop loss ourselves; nothing does while we are not connected to the broker.`,
  });
  const { body: listed } = await request({ url: '/api/deployments/', token: person.token });
  expect(listed).toMatchObject([{ positions: [{ unprotected: true }] }]);
  await kindIs('crypto', 0);
  expect(await shown()).toMatchObject({ positions: [{ unprotected: false }], status_reason: null });
  await kindIs('equity', 10);
  expect(await shown()).toMatchObject({ positions: [{ unprotected: false }], status_reason: null });
});

describe('an account of two deployments', async () => {
  const { request, world } = app;
  const strategy = await publishedStrategy(app);

  test('two users who share a brokerage account cannot claim the same cash, even concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      world.accountId = `DU${randomUUID().slice(0, 7)}`;
      // A reading that began when the account was connected may be saved last: it too is of this much cash.
      await reportCash(app, cashOf(25_000));
      const people = [
        await readyPerson(app),
        await readyPerson(app),
        await readyPerson(app),
        await readyPerson(app),
      ];
      await reportCash(app, cashOf(25_000));
      const answers = await Promise.all(
        people.map(({ token, connectionId }) =>
          request({
            method: 'POST',
            url: '/api/deployments/',
            token,
            body: {
              strategy,
              broker_connection: connectionId,
              investment_amount: 10_000,
              stop_loss_percentage: 10,
              max_allocation_per_trade: 20,
              freeze_on_drawdown: 25,
            },
          }),
        ),
      );
      const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
      const { rows } = await app.records.pool.query(
        'select count(*)::int as awaiting from deployments where id = any($1) and awaits_cash',
        [made],
      );
      // On a busy machine the broker may answer too late for some: these wait until the trader has checked their cash.
      const { awaiting } = rows[0];
      await reportCash(app, cashOf(1_000_000));
      expect(made.length - awaiting).toBeLessThanOrEqual(2);
      expect(made.length).toBeGreaterThanOrEqual(2);
      if (awaiting === 0) expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
      for (const { status, body } of answers) if (status === 422) expect(body.code).toBe('insufficient_cash');
    }
  });
});
