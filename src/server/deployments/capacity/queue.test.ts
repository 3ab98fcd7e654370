// Beyond the capacity of a strategy: who waits, in which order, what they are shown and how they leave. Who is let in when there is room
// again is in tests/followers-year.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { admitWaiting } from '#records/strategies/capacity-queue.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { deployTo } from '#tests/support/test-deployment.ts';
import { readyPerson, signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { tradeOnce } from '#tests/support/test-trading.ts';
import { agree } from '#tests/support/two-people.ts';
import type { StrategyId } from '#units/identifiers.ts';

const app = await testApp();
const { pool, database } = app.records;

async function limited(dollars: number): Promise<string> {
  const id = await publishedStrategy(app);
  await limit(id, dollars);
  return id;
}
const limit = (id: string, dollars: number) =>
  pool.query(`insert into capacity_limits (strategy_id, limit_micro, set_by) values ($1, $2, 'x')`, [
    id,
    dollars * 1_000_000,
  ]);
type Deployed = Awaited<ReturnType<typeof deployTo>>;
const get = ({ person, body }: Deployed, end = '') =>
  app.request({ method: 'GET', url: `/api/deployments/${body.id}/${end}`, token: person.token });
const placeOf = async (deployed: Deployed) => (await get(deployed, 'place/')).body.place;
const stop = ({ person, body }: Deployed) =>
  app.request({ method: 'POST', url: `/api/deployments/${body.id}/stop/`, token: person.token });
const places = async (id: string) =>
  (
    await pool.query(
      `select place::int, amount_micro::float8 / 1e6 as amount, admitted_at is not null as in from capacity_places
       where strategy_id = $1 order by place`,
      [id],
    )
  ).rows;
const letIn = (id: string) => database.transaction().execute((trx) => admitWaiting(trx, id as StrategyId));

test('who signs beyond the capacity waits: the place, what happens next, and nobody overtakes', async () => {
  const id = await limited(25_000);
  const first = await deployTo(app, id, 10_000);
  expect(first.body).toMatchObject({ awaits_capacity: false, status_reason: null });
  const second = await deployTo(app, id, 20_000);
  expect(second).toMatchObject({ status: 201, body: { status: 'pending', awaits_capacity: true } });
  // There is room for it, and somebody is before.
  const third = await deployTo(app, id, 5_000);
  expect(third.body.awaits_capacity).toBe(true);
  expect(await placeOf(first)).toBeNull();
  expect(await placeOf(second)).toMatchObject({
    number: 1,
    amount: 20_000,
    amount_before: 0,
    in_use: 10_000,
  });
  const shown = await placeOf(third);
  expect(shown).toMatchObject({
    number: 2,
    amount: 5_000,
    amount_before: 20_000,
    capacity: 25_000,
    flow: null,
  });
  expect(shown.note).toBe(
    'One other waits before you, with $20,000. There is room for $15,000 now, and the first in the queue is let in once all of their amount fits. We tell you when it is your turn. Until then your money stays in your brokerage account, set aside for this deployment. You can leave the queue at any time.',
  );
  const other = await app.request({
    method: 'GET',
    url: `/api/deployments/${third.body.id}/place/`,
    token: first.person.token,
  });
  expect(other.status).toBe(404);
  const page = await app.request({ method: 'GET', url: `/api/strategies/${id}/` });
  // What waits is not in it.
  expect(page.body.capacity).toMatchObject({ amount: 25_000, deployed: 10_000 });
});

test('who leaves makes way at once, and a place is never given twice', async () => {
  const id = await limited(10_000);
  await deployTo(app, id, 10_000);
  const [second, third] = [await deployTo(app, id, 8_000), await deployTo(app, id, 9_000)];
  expect((await stop(second)).status).toBe(200);
  expect(await placeOf(second)).toBeNull();
  expect(await placeOf(third)).toMatchObject({ number: 1, amount_before: 0 });
  await deployTo(app, id, 6_000);
  expect((await places(id)).map(({ place }) => place)).toEqual([1, 2, 3, 4]);
});

test('of many who sign at once exactly those are let in for whom there is room, in the order of their places', async () => {
  const id = await limited(40_000);
  const people = [];
  for (let i = 0; i < 6; i++) {
    app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
    people.push(await readyPerson(app));
  }
  const answers = await Promise.all(
    people.map((person) =>
      app.request({
        method: 'POST',
        url: '/api/deployments/',
        token: person.token,
        body: {
          strategy: id,
          broker_connection: person.connectionId,
          investment_amount: 15_000,
          stop_loss_percentage: 10,
          max_allocation_per_trade: 20,
          freeze_on_drawdown: 25,
        },
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(people.map(() => 201));
  expect((await places(id)).map((row) => row.in)).toEqual([true, true, false, false, false, false]);
  expect(answers.filter(({ body }) => body.awaits_capacity).length).toBe(4);
});

test('two looks at a queue at once let nobody in twice, and never more than there is room for', async () => {
  const id = await limited(10_000);
  await deployTo(app, id, 10_000);
  for (const dollars of [6_000, 7_000, 5_000]) await deployTo(app, id, dollars);
  await limit(id, 24_000);
  const both = await Promise.all([letIn(id), letIn(id)]);
  expect(both.flat().map(({ place }) => place)).toEqual([2, 3]);
  expect(await places(id)).toMatchObject([{ in: true }, { in: true }, { in: true }, { in: false }]);
  // The next one would not fit, whoever writes it.
  const forced = pool.query(
    `update capacity_places set admitted_at = now(), capacity_micro = 24e9, in_use_micro = 23e9 where strategy_id = $1 and place = 4`,
    [id],
  );
  await expect(forced).rejects.toThrow('capacity_is_kept');
});

test('more than a strategy takes in all is refused at once, with the amount that it takes', async () => {
  const id = await limited(8_000);
  const refused = await deployTo(app, id, 8_001);
  expect(refused).toMatchObject({ status: 422, body: { code: 'out_of_range', field: 'investment_amount' } });
  expect(refused.body.message).toBe('This strategy takes $8,000 in all: enter that or less.');
  expect(await places(id)).toEqual([]);
});

test('money that is added waits as well, and can be cancelled', async () => {
  const id = await limited(15_000);
  const first = await deployTo(app, id, 10_000);
  await tradeOnce(app, first.body.id);
  const waiting = await deployTo(app, id, 9_000);
  const flows = `/api/deployments/${first.body.id}/flows/`;
  const { token } = first.person;
  const add = (amount: number) =>
    app.request({ method: 'POST', url: flows, token, body: { kind: 'deposit', amount } });
  const made = await add(1_000);
  expect(made, made.text).toMatchObject({ status: 201, body: { status: 'pending' } });
  expect(made.body.reason).toContain('The strategy is full.');
  expect(await placeOf(first)).toMatchObject({ number: 2, amount: 1_000, flow: made.body.id });
  expect((await get(first)).body).toMatchObject({ awaits_capacity: true, pending_flow: { amount: 1_000 } });
  const cancelled = await app.request({ method: 'POST', url: `${flows}${made.body.id}/cancel/`, token });
  expect(cancelled.status, cancelled.text).toBe(200);
  expect(await placeOf(first)).toBeNull();
  expect(await placeOf(waiting)).toMatchObject({ number: 1 });
  expect(await add(16_000)).toMatchObject({ status: 422, body: { code: 'out_of_range', field: 'amount' } });
});

test('a strategy that is retired closes its queue: who waited is told, and has the money free', async () => {
  const id = await limited(10_000);
  const inside = await deployTo(app, id, 10_000);
  const waiting = await deployTo(app, id, 5_000);
  const staff = [await signedInPerson(app), await signedInPerson(app)] as const;
  for (const person of staff) await giveRole(app.records, person, 'provider');
  const until = (days: number) =>
    new Date(Number(app.world.now) + days * 86_400_000).toISOString().slice(0, 10);
  const soon = await agree(app, staff, { action: 'retire', subject: id, until: until(3) });
  expect(soon).toMatchObject({ status: 422, body: { code: 'out_of_range', field: 'until' } });
  const agreed = await agree(app, staff, { action: 'retire', subject: id, until: until(30) });
  expect(agreed.status, agreed.text).toBe(200);
  const notices = async ({ person }: Deployed) =>
    (
      await pool.query(`select kind, facts ->> 'endsOn' as day from notifications where user_id = $1`, [
        person.id,
      ])
    ).rows;
  expect(await notices(waiting)).toContainEqual({ kind: 'queue_closed', day: null });
  expect(await notices(inside)).toContainEqual({ kind: 'strategy_retired', day: until(30) });
  expect((await get(waiting)).body).toMatchObject({ requested_status: 'stopped' });
  expect(await placeOf(waiting)).toBeNull();
  expect(await deployTo(app, id, 5_000)).toMatchObject({
    status: 422,
    body: { code: 'strategy_unavailable' },
  });
});
