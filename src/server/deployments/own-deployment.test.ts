import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { RefusedOrder } from '#engine/order/order.ts';
import type { Receipt } from '#engine/execution/deployment/state-transition.ts';
import { insertReceipts } from '#records/deployments/receipts.ts';
import { endIncident, openIncident } from '#records/incidents/incidents.ts';
import { requestStatus, setStatus } from '#tests/support/deployment-commands.ts';
import { cashOf, reportCash, testApp } from '#tests/support/test-app.ts';
import { newDeployment, tradedDeployment } from '#tests/support/test-deployment.ts';
import { readyPerson, signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { parseInstant } from '#units/instant.ts';
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
    ['GET', 'refusals/'],
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
    const { rows } = await records.pool.query('select status from liquidation_requests');
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
      await reportCash(app, cashOf(1_000_000));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
      for (const { status, body } of answers) if (status === 422) expect(body.code).toBe('insufficient_cash');
    }
  });
});

// What a decision did not order, as the owner sees it: decided by the trader, read over HTTP.
describe('its refusals', async () => {
  const { request, records } = app;
  const world = await tradingWorld(records);
  afterAll(() => world.trader.close());

  const readRefusals = async (id: string, token: string, query = '') =>
    request({ url: `/api/deployments/${id}/refusals/${query}`, token });

  async function nobodysDeployment() {
    const { person, deploymentId } = await newDeployment(app);
    return { token: person.token, id: deploymentId as DeploymentId };
  }

  const refusal = (symbol: string, code: 'within_band' | 'no_cash' = 'within_band') =>
    ({ symbol: symbol as Symbol, code }) satisfies RefusedOrder;

  const decide = (deploymentId: DeploymentId, decisions: readonly [string, string, ...RefusedOrder[]][]) =>
    records.database.transaction().execute((trx) =>
      insertReceipts(
        trx,
        decisions.map(
          ([time, cause, ...refusals]): Receipt => ({
            deploymentId,
            targetId: null,
            at: parseInstant(`2026-03-0${time}Z`),
            cause,
            refusals,
          }),
        ),
      ),
    );

  const shown = async (id: string, token: string, query?: string) =>
    (await readRefusals(id, token, query)).body.map(
      ({ at, occasion, items }: { at: string; occasion: string; items: { ticker: string }[] }) =>
        `${at.slice(9, 16)} ${occasion} ${items.map(({ ticker }) => ticker).join(' ')}`,
    );

  test('too little money for one share of AAA: the owner sees that, and nothing about BBB, which was bought', async () => {
    const { market, trader } = world;
    const id = await world.deploy(await world.addStrategy(BOTH_ABOVE_30), { investment: 200 });
    market.closeDay();
    expect(await trader.tick()).toMatchObject({ ordersWritten: 1 });
    const decidedAt = new Date(market.now()).toISOString();
    market.openDay();
    expect(await trader.tick()).toMatchObject({ fillsBooked: 1 });
    const owner = await signedInPerson(app);
    await records.pool.query('update deployments set user_id = $2 where id = $1', [id, owner.id]);

    expect(await readRefusals(id, owner.token)).toMatchObject({
      status: 200,
      body: [
        {
          at: decidedAt,
          occasion: 'strategy',
          items: [
            {
              ticker: 'AAA',
              code: 'below_one_step',
              reason: 'Its share of the equity is below the smallest order, 1.',
            },
          ],
        },
      ],
    });
    const { token } = await signedInPerson(app);
    for (const one of [id, randomUUID(), 'no-id']) {
      const [refusals, trades] = [
        await readRefusals(one, token),
        await request({ url: `/api/deployments/${one}/trades/`, token }),
      ];
      expect(refusals).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(refusals.text).toBe(trades.text);
    }
  });

  test('without refusals the list is empty, even when decisions were made', async () => {
    const { id, token } = await nobodysDeployment();
    expect(await readRefusals(id, token)).toMatchObject({ status: 200, body: [] });
    await decide(id, [['2T21:00', 'target']]);
    expect((await readRefusals(id, token)).body).toEqual([]);
  });

  test('refusals come newest first, as many as requested, each with its decision time', async () => {
    const { id, token } = await nobodysDeployment();
    const other = await nobodysDeployment();
    await decide(other.id, [['9T21:00', 'target', refusal('ZZZ')]]);
    await decide(id, [
      ['2T21:00', 'target', refusal('A')],
      ['3T14:30', 'mark', refusal('B')],
      ['3T15:00', 'fill:x', refusal('C')],
      ['3T16:00', 'order_ended:x', refusal('D')],
      ['3T17:00', 'resize_exit:x', refusal('E')],
      ['3T18:00', 'split:F', refusal('F')],
      ['3T19:00', 'liquidate:x', refusal('G')],
    ]);
    expect(await shown(id, token)).toEqual([
      '3T19:00 closing G',
      '3T18:00 holding F',
      '3T17:00 order_ended E',
      '3T16:00 order_ended D',
      '3T15:00 fill C',
      '3T14:30 prices B',
      '2T21:00 strategy A',
    ]);
    expect(await shown(id, token, '?limit=2')).toEqual(['3T19:00 closing G', '3T18:00 holding F']);
    expect((await readRefusals(id, token, '?limit=0')).status).toBe(400);
  });

  test('a refusal is not repeated unless the strategy itself decides again', async () => {
    const { id, token } = await nobodysDeployment();
    await decide(id, [
      ['2T21:00', 'target', refusal('A'), refusal('B')],
      ['3T14:30', 'fill:1', refusal('B')],
      ['3T14:31', 'fill:2', refusal('B')],
      ['3T14:32', 'fill:3', refusal('B', 'no_cash')],
      ['3T14:33', 'fill:4', refusal('B', 'no_cash'), refusal('C')],
      ['3T21:00', 'target', refusal('C')],
      ['4T21:00', 'target', refusal('C')],
    ]);
    expect(await shown(id, token)).toEqual([
      '4T21:00 strategy C',
      '3T21:00 strategy C',
      '3T14:33 fill C',
      '3T14:32 fill B',
      '2T21:00 strategy A B',
    ]);
  });

  test('only decisions that refused something are in the index, and they are found by it', async () => {
    const { id } = await nobodysDeployment();
    const { rows } = await records.pool.query(
      `select indexdef from pg_indexes where indexname = 'receipts_with_refusals'`,
    );
    expect(rows[0]?.indexdef).toContain('(deployment_id, at DESC) WHERE (refusals IS NOT NULL)');
    const client = await records.pool.connect();
    await client.query('set enable_seqscan = off');
    const plan = await client.query(
      `explain select at from receipts where deployment_id = '${id}' and refusals is not null order by at desc limit 200`,
    );
    await client.query('reset enable_seqscan');
    client.release();
    expect(JSON.stringify(plan.rows)).toContain('receipts_with_refusals');
  });
});
