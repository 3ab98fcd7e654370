import { afterAll, expect, test } from 'vitest';
import { mailServer } from '#tests/support/mail-server.ts';
import { smtp } from './smtp.ts';

const servers: { close(): void }[] = [];
afterAll(() => servers.forEach((server) => server.close()));
const opened = async (script: Parameters<typeof mailServer>[0]) => {
  const server = await mailServer(script);
  servers.push(server);
  return server;
};

const MAIL = {
  to: 'ada@example.test',
  subject: 'Reset your password',
  text: 'Grüße\nhttps://x.test/?token=a_b-c',
};
const from = 'Bellwether <support@example.test>';

test('a mail arrives with its subject and its text', async () => {
  const { url, received } = await opened({});
  expect(await smtp({ url, from, requiresTls: false }).send(MAIL)).toEqual({ outcome: 'sent' });
  expect(received).toHaveLength(1);
  expect(received[0]).toMatch(/^To: ada@example.test$/m);
  expect(received[0]).toMatch(/^Subject: Reset your password$/m);
});

test.each([
  [{ recipient: '550 no such person' }, { outcome: 'refused', mayPass: false }],
  [{ recipient: '451 later, please' }, { outcome: 'refused', mayPass: true }],
  [{ data: '452 full' }, { outcome: 'refused', mayPass: true }],
  [{ afterText: '554 not this one' }, { outcome: 'refused', mayPass: false }],
  [{ afterText: 'hang up' as const }, { outcome: 'unknown' }],
])('what the server answers decides whether to try again: %j', async (script, outcome) => {
  const { url } = await opened(script);
  expect(await smtp({ url, from, requiresTls: false }).send(MAIL)).toMatchObject(outcome);
});

test('an unreachable server is a transient failure', async () => {
  const { port, close } = await opened({});
  close();
  expect(await smtp({ url: `smtp://127.0.0.1:${port}`, from, requiresTls: false }).send(MAIL)).toMatchObject({
    outcome: 'refused',
    mayPass: true,
  });
});

test('a server that offers no TLS gets no mail where one must travel encrypted', async () => {
  const { url, received } = await opened({});
  expect(await smtp({ url, from, requiresTls: true }).send(MAIL)).toMatchObject({
    outcome: 'refused',
    mayPass: true,
  });
  expect(received).toEqual([]);
});
