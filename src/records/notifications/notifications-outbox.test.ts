import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { insertPerson } from '../../../tests/support/trading-rows.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { insertNotifications, type NewNotification } from './notifications-outbox.ts';

const handle = await testDatabase();
const { database, pool } = handle;
const { user } = await insertPerson({ database, pool, newId: randomUUID, now: () => instant(0) });
const notice = (cause: string): NewNotification => ({
  id: randomUUID() as string as NotificationId,
  userId: user as UserId,
  deploymentId: null,
  facts: { kind: 'broker_disconnected', brokerName: 'Scripted' },
  cause,
  at: instant(0),
});
const written = async () =>
  (
    await pool.query(
      `select n.cause, count(distinct n.id)::int as notices, count(m.id)::int as mails
       from notifications n left join mails m on m.notification_id = n.id group by n.cause order by n.cause`,
    )
  ).rows;

test('an event is told once, by one notice and one mail, however often and wherever it is seen', async () => {
  await insertNotifications(database, [notice('a'), notice('b')]);
  await insertNotifications(database, [notice('a')]);
  await Promise.all(Array.from({ length: 20 }, () => insertNotifications(database, [notice('c')])));
  expect(await written()).toEqual(['a', 'b', 'c'].map((cause) => ({ cause, notices: 1, mails: 1 })));
});

test('a notice whose event is taken back was never there', async () => {
  const failing = database.transaction().execute(async (trx) => {
    await insertNotifications(trx, [notice('d')]);
    throw new Error('taken back');
  });
  await expect(failing).rejects.toThrow('taken back');
  expect((await written()).map(({ cause }) => cause)).not.toContain('d');
});
