import { expect, test } from 'vitest';
import { setStatus } from '#tests/support/deployment-commands.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { endIncident, openIncident } from './incidents.ts';
import { endObsoleteIncidents } from './obsolete-incidents.ts';

const records = await testDatabase();
const { database, pool } = records;
const rows = async () =>
  (
    await pool.query(`select kind, subject, severity, facts, since, last_seen_at, ended_at, ended_how from incidents
    order by since, ended_at nulls last`)
  ).rows;
const clear = () => pool.query('delete from incidents');
const START = Date.parse('2026-03-05T15:00:00Z');
const later = (seconds: number) => wallInstant(START + seconds * 1_000);
const date = (seconds: number) => new Date(START + seconds * 1_000);
const AT = later(0);
const TICK = { kind: 'tick_failing', subject: 'trader' } as const;
const failing = (said: string) => ({ ...TICK, facts: { task: 'tick', said } });

test('opening what is open notes that it was seen again, and writes little while nothing changes', async () => {
  await openIncident(database, failing('down'), AT);
  await openIncident(database, failing('down'), later(5));
  expect(await rows()).toMatchObject([{ since: date(0), last_seen_at: date(0) }]);
  await openIncident(database, failing('down'), later(11));
  await openIncident(database, failing('gone'), later(12));
  expect(await rows()).toMatchObject([
    { since: date(0), last_seen_at: date(12), facts: { said: 'gone' }, ended_at: null },
  ]);
  await clear();
});

test('one that is seen to be worse alarms once, and never becomes milder again', async () => {
  const alarms = async () =>
    (await pool.query(`select count(*)::int as n from pgboss.job where name = 'alarms'`)).rows[0].n;
  const before = await alarms();
  const asked = { topic: 'market_data', said: 'Sure?', instruments: 1 } as const;
  const declined = { kind: 'question_declined', subject: 'c1', facts: asked } as const;
  await openIncident(database, declined, AT);
  expect(await alarms()).toBe(before);
  for (const seconds of [1, 20, 40])
    await openIncident(database, { ...declined, severity: 'act_now' }, later(seconds));
  await openIncident(database, declined, later(60));
  expect(await rows()).toMatchObject([{ severity: 'act_now', last_seen_at: date(60) }]);
  expect(await alarms()).toBe(before + 1);
  await clear();
});

test('what happens again after its end is another row, and the ended one never changes', async () => {
  await openIncident(database, failing('down'), AT);
  await endIncident(database, TICK, { how: 'cleared', at: later(60) });
  await endIncident(database, TICK, { how: 'unseen', at: later(61) });
  await openIncident(database, failing('down'), later(90));
  expect(await rows()).toMatchObject([
    { since: date(0), ended_at: date(60), ended_how: 'cleared' },
    { since: date(90), ended_at: null },
  ]);
  await expect(
    pool.query(`update incidents set ended_at = now() where ended_at is not null`),
  ).rejects.toThrow('an incident that has ended does not change');
  await clear();
});

test('two processes that see the same at one moment open one incident', async () => {
  await Promise.all(Array.from({ length: 8 }, () => openIncident(database, failing('down'), AT)));
  expect(await rows()).toHaveLength(1);
  await clear();
});

test('opening is undone with the transaction that it belongs to', async () => {
  const failed = database.transaction().execute(async (trx) => {
    await openIncident(trx, failing('down'), AT);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  expect(await rows()).toEqual([]);
});

test('an incident that is noted late is as severe as its age', async () => {
  const lost = { kind: 'connection_lost', subject: 'c1', facts: { said: '' } } as const;
  await openIncident(database, { ...lost, since: later(-60) }, AT);
  await openIncident(database, { ...lost, subject: 'c2', since: later(-900) }, AT);
  expect((await rows()).map(({ subject, severity }) => [subject, severity])).toEqual([
    ['c2', 'act_now'],
    ['c1', 'watch'],
  ]);
  await clear();
});

test('what no one can end any more is obsolete, and what names no connection stays', async () => {
  const world = await tradingWorld({ ...records, close: async () => undefined });
  const id = await world.deploy(await world.addStrategy(BOTH_ABOVE_30));
  const { rows: found } = await pool.query(
    `select broker_connection_id as id from deployments where id = $1`,
    [id],
  );
  const connectionId = found[0]!.id;
  const lost = { kind: 'connection_lost', subject: connectionId, connectionId, facts: { said: '' } } as const;
  const nameless = { kind: 'position_unprotected', subject: 'p1', facts: {} } as const;
  await openIncident(database, { ...lost, since: later(1) }, later(1));
  await openIncident(database, { ...nameless, since: later(2) }, later(2));
  await endObsoleteIncidents(database, later(3));
  expect((await rows()).map(({ ended_how: how }) => how)).toEqual([null, null]);
  await setStatus(pool, id, 'stopped');
  await endObsoleteIncidents(database, later(4));
  expect((await rows()).map(({ ended_how: how }) => how)).toEqual(['obsolete', null]);
  await clear();
});
