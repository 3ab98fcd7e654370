import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { beat } from '#records/operations/heartbeats.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import type { NoticeFacts, NoticeKind } from '#rules/notifications/notice-text.ts';
import { DEFAULT_NOTIFICATION_PREFERENCES } from '#rules/notifications/preferences.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import { instant, parseInstant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { signedInPerson } from '../../../tests/support/test-person.ts';
import { tradedDeployment } from '../../../tests/support/test-deployment.ts';
import { deliverMails } from '../../../tests/support/deliver-mails.ts';
import { WeeklyReports } from '../mail/weekly-reports.ts';

const app = await testApp();
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

test('everybody begins with the defaults, and a change keeps what it does not name', async () => {
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

test("one person's choice is nobody else's", async () => {
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

test('what is left on is mailed, several notices as one mail; what is off is not', async () => {
  const { id, email, token } = await signedInPerson(app);
  await happen(id, ['order_filled', 'paused', 'order_not_filled']);
  const [mail, ...more] = await mailsTo(email);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ subject: 'Bellwether: 3 updates' });
  expect(mail!.text).toContain('2026-01-01  Bought SPY\nCalm Trend: bought 1 SPY at $400. Commission $1.');
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

test('who asked for it gets one report a week, about their own deployments', async () => {
  const { person } = await tradedDeployment(app);
  const marketAt = parseInstant('2026-01-14T12:00:00Z');
  await beat(app.records.database, { process: 'trader', beatAt: world.now, marketAt, details: {} });
  await new WeeklyReports().owe(dependencies);
  expect(await mailsTo(person.email)).toEqual([]);
  await change(person.token, { email: { performanceReports: true } });
  await new WeeklyReports().owe(dependencies);
  await new WeeklyReports().owe(dependencies);
  const mails = await mailsTo(person.email);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ subject: 'Bellwether: your week from 2026-01-05' });
  expect(mails[0]!.text).toContain("$10,408 at the week's last close, up $408 (4.08%).");
});
