// What goes wrong on our own side: the process dies, the database drops connections, prices are nonsense, permissions
// end, and people act while the trader is in the middle of something.
import type { World } from '../world.ts';
import { changeLimits, writeWish } from './ordinary.ts';
import { passMinutes, planted, type Step, tick, toClose, toOpening } from './step.ts';

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
    world.feedFaults.quote = world.chance.pick(['tenfold', 'zero', 'crossed']);
    await tick(world);
    world.feedFaults.quote = null;
  }),
  planted('F21', 'a client pauses between decision and sending', 4, async (world) => {
    world.life.interruptAt(1 + world.chance.below(120), () => writeWish(world, 'paused'));
    toClose(world);
    await tick(world);
    await tick(world);
  }),
  planted('F22', 'a stop, a wish and an exit meet', 3, async (world) => {
    await writeWish(world, world.chance.pick(['stopped', 'liquidated']));
    world.life.interruptAt(1 + world.chance.below(60), () => writeWish(world, 'liquidated'));
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
  planted('F27', 'an agreement ends, and is signed again', 2, async (world) => {
    const { user } = world.chance.pick(world.people);
    const set = (status: string) =>
      world.records.pool.query(`update agreements set status = $2 where user_id = $1`, [user, status]);
    await set('expired');
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

async function dropConnections(world: World): Promise<true> {
  await world.records.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [world.life.name],
  );
  return true;
}
