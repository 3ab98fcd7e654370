import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { signedInPerson } from '../../../tests/support/test-person.ts';

const app = await testApp();
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

test("someone else's notification is like an absent one, and stays unread", async () => {
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
