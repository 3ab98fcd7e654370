import { afterAll, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const held = async (id: DeploymentId, symbol: string) =>
  (
    await rows(
      `select quantity::float as units from positions where deployment_id = $1 and symbol = $2`,
      id,
      symbol,
    )
  )[0]?.units;
const cash = async (id: DeploymentId) =>
  (await rows(`select cash_micro::float / 1e6 as cash from deployments where id = $1`, id))[0].cash as number;
const holds = async () =>
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};
/** The shares are quoted without it from the session after the one that has just closed. */
const announce = (symbol: string, kind: 'split' | 'dividend', amount: number) => {
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.closeDay();
  market.actions.push({ symbol: symbol as Symbol, kind, exDate, amount });
};

const version = await world.addStrategy(BOTH_ABOVE_30);
const id = await world.deploy(version, { account: 'DU1' });
market.closeDay();
await runTicks();
// The first day fills only ten of each; the rest is bought on another one.
venue.fillsAtMost = (10 * 1e8) as never;
market.openDay();
await runTicks();

test('a dividend is paid for what was held at the close, not for what was bought since', async () => {
  expect([await held(id, 'AAA'), await held(id, 'BBB')]).toEqual([10, 10]);
  announce('AAA', 'dividend', 0.5);
  await runTicks();
  const paid = await rows(
    `select e.amount_micro::float / 1e6 as paid from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
     where t.deployment_id = $1 and t.kind = 'position_event' and e.ledger_account = 'cash'`,
    id,
  );
  expect(paid).toEqual([{ paid: 5 }]);
  await holds();
});

test('one that is found only after the next purchases pays for what was held at its close', async () => {
  venue.matches = false;
  market.openDay();
  await runTicks();
  const [before, atClose] = [await cash(id), await held(id, 'BBB')];
  announce('BBB', 'dividend', 1);
  // The session cannot be processed before the purchases of the next morning.
  await rows(`alter table position_events rename to position_events_away`);
  await runTicks();
  Object.assign(venue, { matches: true, fillsAtMost: null });
  market.openDay();
  await runTicks();
  await rows(`alter table position_events_away rename to position_events`);
  expect(await held(id, 'BBB')).toBeGreaterThan(atClose);
  const between = await cash(id);
  expect(between).toBeLessThan(before);
  await world.restart();
  await runTicks();
  expect(await cash(id)).toBeCloseTo(between + atClose, 6);
  await holds();
});

test('a process that dies during end-of-day processing: the next one repeats it, and nothing is applied twice', async () => {
  const units = await held(id, 'AAA');
  announce('AAA', 'split', 2);
  market.setPrice('AAA', market.price('AAA') / 2);
  await runTicks();
  expect(await held(id, 'AAA')).toBe(2 * units);
  const money = await cash(id);
  // It died before it had noted the session as processed.
  for (let i = 0; i < 2; i++) {
    await rows(`delete from processed_sessions`);
    await world.restart();
    const { problems } = await runTicks();
    expect(problems).toEqual([]);
  }
  expect(await held(id, 'AAA')).toBe(2 * units);
  expect(await cash(id)).toBe(money);
  await holds();
});

test('a deployment whose end-of-day processing fails delays nobody else, and is skipped once it is quarantined', async () => {
  const other = await world.deploy(version, { account: 'DU2' });
  market.openDay();
  await runTicks();
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  const before = { poisoned: await held(id, 'AAA'), other: await held(other, 'AAA') };
  announce('AAA', 'split', 2);
  market.setPrice('AAA', market.price('AAA') / 2);
  await rows(`create function poison() returns trigger language plpgsql as $$
    begin if new.deployment_id = '${id}' then raise exception 'poison'; end if; return new; end $$`);
  await rows(`create trigger poison before insert on position_events for each row execute function poison()`);
  const first = await runTicks();
  expect(first.problems.map(({ reason }) => reason)).toEqual(['poison', 'it waits for 1 deployment']);
  expect(await held(other, 'AAA')).toBe(2 * before.other);
  for (let i = 0; i < 4; i++) await runTicks();
  expect(await rows(`select status, reason_params as why from deployments where id = $1`, id)).toEqual([
    {
      status: 'failed',
      why: { failing: { task: 'end-of-day', symbol: 'AAA' } },
    },
  ]);
  expect((await runTicks()).problems.map(({ reason }) => reason)).toEqual(['poison']);
  expect((await runTicks()).problems).toEqual([]);
  await rows(`drop trigger poison on position_events`);
  expect([await held(id, 'AAA'), await held(other, 'AAA')]).toEqual([before.poisoned, 2 * before.other]);
  const [marked] = await rows(
    `select mark_price::float as price from positions where deployment_id = $1 and symbol = 'AAA'`,
    other,
  );
  expect(marked.price).toBe(market.price('AAA'));
});
