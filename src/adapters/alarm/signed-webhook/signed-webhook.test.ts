import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { signedWebhook } from './signed-webhook.ts';

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };

const servers: { close(): void }[] = [];
afterAll(() => servers.forEach((server) => server.close()));

async function receiver(status: number, headers: Record<string, string> = {}) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(status, headers).end('thanks');
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/hook`, received };
}

const ALARM = { id: 'i1:opened', body: '{"event":"incident.opened"}' };
const of = (url: string) => signedWebhook({ url, secret: 'hush', nowSeconds: () => 1_700_000_000 });

test('an alarm arrives with its id and a signature that its receiver can check', async () => {
  const { url, received } = await receiver(204);
  expect(await of(url).send(ALARM)).toEqual({ outcome: 'taken' });
  const expected = createHmac('sha256', 'hush').update(`1700000000.${ALARM.body}`).digest('hex');
  expect(received).toMatchObject([
    {
      body: ALARM.body,
      headers: {
        'content-type': 'application/json',
        'bellwether-event-id': 'i1:opened',
        'bellwether-signature': `t=1700000000,v1=${expected}`,
      },
    },
  ]);
});

test('an alarm that was not taken is one that failed: by status, by redirection, by silence of the address', async () => {
  const busy = await receiver(503);
  expect(await of(busy.url).send(ALARM)).toEqual({ outcome: 'failed', reason: 'status 503' });
  const elsewhere = await receiver(302, { location: busy.url });
  expect(await of(elsewhere.url).send(ALARM)).toMatchObject({ outcome: 'failed' });
  expect(busy.received).toHaveLength(1);
  expect(await of('http://127.0.0.1:1/').send(ALARM)).toMatchObject({ outcome: 'failed' });
});
