// What goes wrong on our own side: the process dies, the database drops connections, prices are nonsense, permissions
// end, and people act while the trader is in the middle of something.
import { liftKillSwitch, setKillSwitch } from '#records/operations/kill-switches.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { World } from '../world.ts';
import { changeLimits, writeCommand } from './ordinary.ts';
import { passMinutes, planted, type Step, tick, toClose, toOpening, tradeThrough } from './step.ts';

export const OWN_FAULTS: readonly Step[] = [
  planted('F01', 'the trader dies in the middle', 8, async (world) => {
    world.life.dieAt(1 + world.chance.below(150), world.chance.pick(['before', 'after']));
    if (world.chance.happens(0.6)) toClose(world);
    await tick(world);
    await world.restart();
    await tick(world);
  }),
  planted('F13', 'the database drops its connections', 3, async (world) => {
    world.life.interruptAt(1 + world.chance.below(80), () => dropConnections(world));
    toClose(world);
    await tick(world);
    await tick(world);
    toOpening(world);
    await tick(world);
    // The drop may have hit the first look of the new day.
    await tick(world);
  }),
  planted('F14', 'a stopped trader wakes up when another has taken over', 4, async (world) => {
    const first = world.life;
    const { stopped, wake } = first.stopAt(1 + world.chance.below(120));
    toClose(world);
    const looking = tick(world);
    await Promise.race([stopped, looking]);
    await world.takeOver();
    await tick(world);
    await tick(world);
    wake();
    await looking;
    await tick(world);
    await first.kill();
  }),
  planted('F16', 'the feed is down', 3, async (world) => {
    world.feedFaults.isDown = true;
    passMinutes(world, 10);
    await tick(world);
    world.feedFaults.isDown = false;
  }),
  planted('F16', 'the feed tells a bad bar', 4, async (world) => {
    world.feedFaults.bar = world.chance.pick(['late', 'tenfold', 'zero', 'not a number', 'twice']);
    toClose(world);
    await tick(world);
    world.feedFaults.bar = null;
    await tick(world);
  }),
  planted('F16', 'the feed tells a bad quote', 3, async (world) => {
    world.feedFaults.quote = world.chance.pick(['twentyfold', 'zero', 'crossed']);
    if (world.chance.happens(0.5)) await world.restart();
    await tick(world);
    await believesNonsense(world);
    world.feedFaults.quote = null;
    await tick(world);
  }),
  planted('F21', 'a client pauses between decision and sending', 4, async (world) => {
    world.life.interruptAt(1 + world.chance.below(120), () => writeCommand(world, 'paused'));
    toClose(world);
    await tick(world);
    await tick(world);
  }),
  planted('F22', 'a stop, a command and an exit meet', 3, async (world) => {
    await writeCommand(world, world.chance.pick(['stopped', 'liquidated']));
    world.life.interruptAt(1 + world.chance.below(60), () => writeCommand(world, 'liquidated'));
    toClose(world);
    await tick(world);
    toOpening(world);
    await tick(world);
  }),
  planted('F24', 'limits change while orders are sized', 3, async (world) => {
    world.life.interruptAt(1 + world.chance.below(100), () => changeLimits(world));
    toClose(world);
    await tick(world);
  }),
  planted('F35', 'one deployment always throws', 2, async (world) => {
    const poisoned = world.chance.pick(world.deployments);
    await world.records.owner.query(`
      create or replace function poison() returns trigger language plpgsql as
        $$ begin if new.id = '${poisoned}' and new.status <> 'failed' then raise 'poisoned'; end if; return new; end $$;
      create trigger poison before update on deployments for each row execute function poison()`);
    for (let i = 0; i < 3; i++) {
      toClose(world);
      // As often as it looks within two seconds of its own: it is set aside before the next day.
      for (let look = 0; look < 6; look++) await tick(world);
    }
    await world.records.owner.query('drop trigger poison on deployments');
  }),
  planted('F40', 'everything is halted', 3, async (world) => {
    const { database } = world.records;
    const id = world.chance.uuid();
    const cancelsWorking = world.chance.happens(0.5);
    const by = 'the desk';
    await setKillSwitch(database, {
      id,
      scope: 'global',
      target: null,
      cancelsWorking,
      because: 'A test.',
      setBy: by,
    });
    const before = await sentOrders(world);
    await tradeThrough(world);
    if ((await sentOrders(world)) !== before)
      world.violations.push('F40 an order left while everything was halted');
    await liftKillSwitch(database, { id, by });
    await tick(world);
  }),
  planted('F27', 'an agreement ends, and is signed again', 2, async (world) => {
    const { user } = world.chance.pick(world.people);
    const set = (status: string) =>
      world.records.pool.query(`update agreements set status = $2 where user_id = $1`, [user, status]);
    await set('declined');
    toClose(world);
    await tick(world);
    await set('signed');
  }),
  planted('F27', 'a profile becomes too careful, and is retaken', 2, async (world) => {
    const { user } = world.chance.pick(world.people);
    const score = (risk: number) =>
      world.records.pool.query(`update risk_profiles set risk_score = $2 where user_id = $1`, [user, risk]);
    await world.records.pool.query(`update strategies set risk_score = 2`);
    await score(1);
    toClose(world);
    await tick(world);
    await score(3);
  }),
];

/**
 * The feed's nonsense values nothing, also where nothing was quoted before it. It is twentyfold: a share that opens a
 * tenth lower than it closed is eleven times itself without being ten times its last close.
 */
async function believesNonsense(world: World): Promise<void> {
  if (world.feedFaults.quote !== 'twentyfold') return;
  const { rows } = await world.records.pool.query<{ symbol: Symbol; mark: number }>(
    `select distinct symbol, mark_price::float as mark from positions`,
  );
  for (const { symbol, mark } of rows) {
    const reported = (world.prices.quote(symbol, world.now())?.last ?? 0) * 20;
    if (mark === reported) world.violations.push(`F16 ${symbol} is valued at ${mark}, the twentyfold`);
  }
}

async function sentOrders({ records }: World): Promise<number> {
  const { rows } = await records.pool.query<{ sent: number }>(
    `select count(*)::int as sent from orders where sent_at is not null`,
  );
  return rows[0]!.sent;
}

async function dropConnections(world: World): Promise<true> {
  await world.records.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [world.life.name],
  );
  return true;
}
