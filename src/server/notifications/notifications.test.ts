import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { insertNotifications, type NewNotification } from '#records/notifications/notifications-outbox.ts';
import { createMailbox } from '#records/notifications/sandbox-mailbox.ts';
import { beat } from '#records/operations/heartbeats.ts';
import type { NoticeFacts, NoticeKind } from '#rules/notifications/notice-text.ts';
import { DEFAULT_NOTIFICATION_PREFERENCES } from '#rules/notifications/preferences.ts';
import { createApp } from '#server/app.ts';
import { WeeklyReports } from '#server/mail/weekly-reports.ts';
import { deliverMails } from '#tests/support/deliver-mails.ts';
import { testApp } from '#tests/support/test-app.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { tradedDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { insertPerson } from '#tests/support/trading-rows.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import { instant, parseInstant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { wallInstantOf } from '#units/wall-instant.ts';

const app = await testApp();

describe('the bell', () => {
  const { request } = app;

  async function notify(userId: string, strategies: readonly string[]): Promise<string[]> {
    const notices = strategies.map((strategyName, i) => ({
      id: randomUUID() as string as NotificationId,
      userId: userId as UserId,
      deploymentId: null,
      facts: { kind: 'resumed', strategyName } as const,
      cause: randomUUID(),
      at: instant(Date.UTC(2026, 0, 1 + i)),
    }));
    await insertNotifications(app.records.database, notices);
    return notices.map(({ id }) => id);
  }

  test('notifications come newest first and are read one by one, or all at once', async () => {
    const { id, token } = await signedInPerson(app);
    const [first] = await notify(id, ['first', 'second', 'third']);
    const list = () => request({ url: '/api/notifications/', token });
    expect((await list()).body).toMatchObject([
      {
        message: 'third trades again from its next signal.',
        read: false,
        created_at: '2026-01-03T00:00:00.000Z',
        deployment: null,
      },
      { message: expect.stringContaining('second') },
      { message: expect.stringContaining('first') },
    ]);
    const read = await request({ method: 'POST', url: `/api/notifications/${first}/mark_as_read/`, token });
    expect(read).toMatchObject({ status: 200, body: { id: first, read: true } });
    expect((await request({ url: `/api/notifications/${first}/`, token })).body).toEqual(read.body);
    const all = () => request({ method: 'POST', url: '/api/notifications/mark_all_as_read/', token });
    expect((await all()).body).toEqual({ marked: 2 });
    expect((await all()).body).toEqual({ marked: 0 });
  });

  test("another user's notification gets the same answer as an absent one, and stays unread", async () => {
    const owner = await signedInPerson(app);
    const { token } = await signedInPerson(app);
    const [id] = await notify(owner.id, ['mine']);
    for (const one of [id, randomUUID(), 'random-notification-1']) {
      expect((await request({ url: `/api/notifications/${one}/`, token })).status).toBe(404);
      const marked = await request({ method: 'POST', url: `/api/notifications/${one}/mark_as_read/`, token });
      expect(marked.status).toBe(404);
    }
    await request({ method: 'POST', url: '/api/notifications/mark_all_as_read/', token });
    expect((await request({ url: `/api/notifications/${id}/`, token: owner.token })).body.read).toBe(false);
  });
});

describe('preferences', () => {
  const { request, world, dependencies } = app;
  const url = '/api/notifications/preferences/';
  const change = (token: string, body: object) => request({ method: 'PATCH', url, token, body });

  const strategyName = 'Calm Trend';
  const order = {
    strategyName,
    side: 'buy',
    quantity: toQuantity(1),
    symbol: 'SPY',
    isProtective: false,
  } as const;
  const FACTS = {
    order_filled: {
      kind: 'order_filled',
      ...order,
      price: 400,
      currency: 'USD',
      commission: toMicro(1),
      profit: null,
    },
    order_not_filled: { kind: 'order_not_filled', ...order, reason: { code: 'expired', said: '' } },
    paused: { kind: 'paused', strategyName, atBroker: [] },
    frozen: { kind: 'frozen', strategyName, drawdownPercent: 20 },
    stopped: { kind: 'stopped', strategyName, cash: toMicro(100) },
  } as const satisfies { readonly [Kind in NoticeKind]?: NoticeFacts };

  async function happen(
    userId: string,
    kinds: readonly (keyof typeof FACTS)[],
    cause = randomUUID() as string,
  ) {
    await insertNotifications(
      app.records.database,
      kinds.map((kind, i) => ({
        id: randomUUID() as string as NotificationId,
        userId: userId as UserId,
        deploymentId: null,
        facts: FACTS[kind],
        cause: `${cause}:${kind}:${i}`,
        at: instant(Date.UTC(2026, 0, 1 + i)),
      })),
    );
  }

  async function mailsTo(email: string) {
    await deliverMails(dependencies);
    return world.mails.filter(({ to }) => to === email);
  }

  test('all users start with the defaults, and a change keeps the settings it does not name', async () => {
    const { token } = await signedInPerson(app);
    expect(await request({ url, token })).toMatchObject({
      status: 200,
      body: DEFAULT_NOTIFICATION_PREFERENCES,
    });
    const off = await change(token, { email: { tradeConfirmations: false } });
    expect(off.status).toBe(200);
    await change(token, { push: { marketUpdates: true } });
    expect((await request({ url, token })).body).toEqual({
      email: { tradeConfirmations: false, strategyUpdates: true, performanceReports: false },
      push: { tradeAlerts: true, riskWarnings: true, marketUpdates: true },
    });
  });

  test("one user's preferences do not affect another user", async () => {
    const one = await signedInPerson(app);
    const other = await signedInPerson(app);
    await change(one.token, { email: { strategyUpdates: false } });
    expect((await request({ url, token: other.token })).body).toEqual(DEFAULT_NOTIFICATION_PREFERENCES);
  });

  test.each([
    [{ email: { tradeConfirmations: 'yes' } }, 'email.tradeConfirmations'],
    [{ email: { carrierPigeon: true } }, 'email'],
    [{ fax: {} }, undefined],
  ])('%j is refused', async (body, field) => {
    const { token } = await signedInPerson(app);
    const answer = await change(token, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_field' } });
    if (field !== undefined) expect(answer.body.field).toContain(field.split('.')[0]);
  });

  test('enabled notices are mailed, several in one mail; disabled ones are not', async () => {
    const { id, email, token } = await signedInPerson(app);
    await happen(id, ['order_filled', 'paused', 'order_not_filled']);
    const [mail, ...more] = await mailsTo(email);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: 'Bellwether: 3 updates' });
    expect(mail!.text).toContain(
      '1 January 2026  Bought SPY\nCalm Trend: bought 1 SPY at $400. Commission $1.',
    );
    await change(token, { email: { tradeConfirmations: false } });
    await happen(id, ['order_filled', 'frozen']);
    expect((await mailsTo(email)).at(-1)).toMatchObject({ subject: 'Bellwether: Trading frozen' });
    await change(token, { email: { strategyUpdates: false } });
    await happen(id, ['order_filled', 'frozen']);
    expect(await mailsTo(email)).toHaveLength(2);
  });

  test('one event is mailed once, however often it is written', async () => {
    const { id, email } = await signedInPerson(app);
    await happen(id, ['stopped'], 'the same');
    await happen(id, ['stopped'], 'the same');
    await mailsTo(email);
    await happen(id, ['stopped'], 'the same');
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('a notice that is rolled back is not mailed', async () => {
    const { id, email } = await signedInPerson(app);
    const failing = app.records.database.transaction().execute(async (trx) => {
      await insertNotifications(trx, [
        {
          id: randomUUID() as string as NotificationId,
          userId: id as UserId,
          deploymentId: null,
          facts: FACTS.stopped,
          cause: randomUUID(),
          at: instant(0),
        },
      ]);
      throw new Error('the trade was not booked');
    });
    await expect(failing).rejects.toThrow('not booked');
    expect(await mailsTo(email)).toEqual([]);
  });

  test('a subscriber gets one report a week about their own deployments', async () => {
    const { person } = await tradedDeployment(app);
    const marketAt = parseInstant('2026-01-14T12:00:00Z');
    await beat(app.records.database, {
      process: 'trader',
      beatAt: wallInstantOf(world.now),
      marketAt,
      details: {},
    });
    await new WeeklyReports().owe(dependencies);
    expect(await mailsTo(person.email)).toEqual([]);
    await change(person.token, { email: { performanceReports: true } });
    await new WeeklyReports().owe(dependencies);
    await new WeeklyReports().owe(dependencies);
    const mails = await mailsTo(person.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ subject: 'Bellwether: your week from 5 January 2026' });
    expect(mails[0]!.text).toContain("$10,408 at the week's last close, up $408 (4.08%).");
  });
});

describe('the outbox', async () => {
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

  test('an event gives one notice and one mail, no matter how often or where it is seen', async () => {
    await insertNotifications(database, [notice('a'), notice('b')]);
    await insertNotifications(database, [notice('a')]);
    await Promise.all(Array.from({ length: 20 }, () => insertNotifications(database, [notice('c')])));
    expect(await written()).toEqual(['a', 'b', 'c'].map((cause) => ({ cause, notices: 1, mails: 1 })));
  });

  test('a notice whose event is rolled back does not exist', async () => {
    const failing = database.transaction().execute(async (trx) => {
      await insertNotifications(trx, [notice('d')]);
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect((await written()).map(({ cause }) => cause)).not.toContain('d');
  });
});

describe('the mailbox of the sandbox', () => {
  const { request, dependencies } = app;

  test('the mailbox shows stored mails newest first, can filter by recipient, and escapes all markup', async () => {
    const mailbox = createMailbox(app.records.database);
    await mailbox.keep({
      to: 'ada@example.test',
      subject: 'First',
      text: 'Hello\nhttp://x.test/?token=a-b_c\n',
    });
    await mailbox.keep({ to: 'bo@example.test', subject: '<b>Second</b>', text: '<script>1</script>' });
    const page = await request({ url: '/sandbox/mailbox' });
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(page.text.indexOf('Second')).toBeLessThan(page.text.indexOf('First'));
    expect(page.text).toContain('<a href="http://x.test/?token=a-b_c">');
    expect(page.text).not.toMatch(/<script>1|<b>Second/);
    const one = await request({ url: '/sandbox/mailbox?to=Ada@example.test' });
    expect(one.text).toContain('First');
    expect(one.text).not.toContain('Second');
  });

  test('there is no mailbox page when mails are really sent', async () => {
    const outside = await createApp({ ...dependencies, mountPages: async () => undefined });
    expect((await outside.inject({ url: '/sandbox/mailbox' })).statusCode).toBe(404);
    await outside.close();
  });
});
