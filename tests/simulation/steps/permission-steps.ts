// Permissions that end while orders are on their way: an agreement is revoked, the questionnaire is retaken, a plan
// lapses, a client is found on a sanctions list.
import type { Side } from '#engine/order/order.ts';
import { liftKillSwitch, setKillSwitch } from '#records/operations/kill-switches.ts';
import { addsExposure } from '#engine/execution/orders/exposure.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { quantity } from '#units/quantity.ts';
import { splitSince } from '../decided-positions.ts';
import type { SimulatedPerson, World } from '../world.ts';
import { planted, type Step, tick, toClose, toOpening, tradeThrough } from './step.ts';

export const PERMISSION_STEPS: readonly Step[] = [
  planted('F27', 'an agreement is revoked between decision and sending', 3, async (world) => {
    const person = world.chance.pick(world.people);
    const set = (status: string) =>
      world.records.pool.query(`update agreements set status = $2 where user_id = $1`, [person.user, status]);
    await endsWhileSending(world, person, 'any at a broker', () => set('declined'));
    await set('signed');
    await tick(world);
  }),
  planted('F27', 'a questionnaire is retaken between decision and sending', 3, async (world) => {
    const person = world.chance.pick(world.people);
    await world.records.pool.query(`update strategies set risk_score = 2`);
    const score = (risk: number) =>
      world.records.pool.query(`update risk_profiles set risk_score = $2 where user_id = $1`, [
        person.user,
        risk,
      ]);
    await endsWhileSending(world, person, 'new exposure', () => score(1));
    await score(3);
    await tick(world);
  }),
  planted('F27', 'a client is found on a sanctions list', 3, async (world) => {
    const person = world.chance.pick(world.people);
    const { database } = world.records;
    const id = world.chance.uuid();
    const by = 'the desk';
    await endsWhileSending(world, person, 'any', () =>
      setKillSwitch(database, {
        id,
        scope: 'client',
        target: person.user,
        cancelsWorking: true,
        because: 'A sanctions list names the client.',
        setBy: by,
      }),
    );
    await liftKillSwitch(database, { id, by });
    await tick(world);
  }),
  planted('F27', 'a plan lapses while it is used', 2, async (world) => {
    const { user } = world.chance.pick(world.people);
    await choosePlan(world, user, 'enterprise');
    const { rows: trading } = await world.records.pool.query<{ id: string }>(
      `select id from deployments where user_id = $1 and status = 'active' and requested_status is null`,
      [user],
    );
    await choosePlan(world, user, 'free');
    await tradeThrough(world);
    // A plan is checked on deploy and on resume: a running deployment continues, and nothing is sold because of the plan.
    const { rows: ended } = await world.records.pool.query<{ id: string }>(
      `select id from deployments where id = any($1) and status not in ('active', 'frozen')`,
      [trading.map(({ id }) => id)],
    );
    for (const { id } of ended) world.violations.push(`F27 a lapsed plan ended deployment ${id}`);
  }),
];

/** Once `end` is written, no order of this person that needs the permission begins to leave. */
async function endsWhileSending(
  world: World,
  person: SimulatedPerson,
  what: 'any' | 'any at a broker' | 'new exposure',
  end: () => Promise<unknown>,
): Promise<void> {
  const seen: { before: ReadonlySet<string> | null } = { before: null };
  const endNow = async () => {
    seen.before = new Set((await sentOrders(world, person)).map(({ id }) => id));
    await end();
    return true as const;
  };
  world.life.interruptAt(1 + world.chance.below(120), endNow);
  toClose(world);
  await tick(world);
  const wasInTheMiddle = seen.before !== null;
  if (!wasInTheMiddle) await endNow();
  await tick(world);
  toOpening(world);
  await tick(world);
  const needsPermission = (order: SentOrder) => {
    if (what === 'any at a broker') return order.mode === 'real';
    return what === 'any' || isNewExposure(world, order);
  };
  const left = (await sentOrders(world, person)).filter(
    (order) => !seen.before!.has(order.id) && needsPermission(order),
  ).length;
  // An order may leave if its checks ran before the permission ended, in a transaction that was still open.
  if (left > (wasInTheMiddle ? 1 : 0))
    world.violations.push(`F27 ${left} orders left after a permission had ended`);
}

type SentOrder = {
  readonly id: string;
  /** Practice needs no agreement. */
  readonly mode: 'practice' | 'real';
  readonly purpose: string;
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: number;
  readonly sentAt: Date;
  /** Executions of the same position from before it was sent, of other orders. */
  readonly earlier: readonly { readonly signed: number; readonly executedAt: string }[];
};

/** Not what only closes a position, or a part of it. */
function isNewExposure(world: World, order: SentOrder): boolean {
  const { purpose, symbol, side, quantity: units, sentAt, earlier } = order;
  if (purpose !== 'rebalance') return false;
  const inUnitsOfNow = (amount: number, at: number) =>
    quantity(Math.round(amount * splitSince(world, symbol, at as Instant) * 1e8));
  const held = earlier.reduce(
    (sum, { signed, executedAt }) => sum + inUnitsOfNow(signed, parseInstant(executedAt)),
    0,
  );
  return addsExposure({ side, quantity: inUnitsOfNow(units, sentAt.getTime()) }, held);
}

async function sentOrders({ records }: World, { user }: SimulatedPerson): Promise<SentOrder[]> {
  const { rows } = await records.pool.query<SentOrder>(
    `select o.id, d.mode, o.purpose, o.symbol, o.side, o.quantity::float as quantity, o.sent_at as "sentAt",
       coalesce((select json_agg(json_build_object('executedAt', f.executed_at,
           'signed', case f.side when 'buy' then f.quantity else -f.quantity end)) from fills f
         where f.deployment_id = o.deployment_id and f.symbol = o.symbol and f.order_id <> o.id
           and f.executed_at <= o.sent_at), '[]') as earlier
     from orders o join deployments d on d.id = o.deployment_id where d.user_id = $1 and o.sent_at is not null`,
    [user],
  );
  return rows;
}

async function choosePlan({ records }: World, user: string, plan: 'enterprise' | 'free'): Promise<void> {
  const [start, end] = plan === 'free' ? [null, null] : ['2026-03-01', '2026-04-01'];
  await records.pool.query(
    `insert into subscriptions (user_id, plan, billing_interval, chosen_at, period_start, period_end, period_price_micro)
     values ($1, $2, 'monthly', '2026-03-01', $3, $4, 0)
     on conflict (user_id) do update
       set plan = excluded.plan, period_start = excluded.period_start, period_end = excluded.period_end`,
    [user, plan, start, end],
  );
}
