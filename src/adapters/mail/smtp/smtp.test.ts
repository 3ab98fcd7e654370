import { createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { smtp } from './smtp.ts';

type Script = {
  readonly recipient?: string;
  readonly data?: string;
  readonly afterText?: string | 'hang up';
};

const servers: { close(): void }[] = [];
afterAll(() => servers.forEach((server) => server.close()));

/** An RFC 5321 server that gives scripted replies and stores what it receives. */
async function server(script: Script) {
  const received: string[] = [];
  const talk = (socket: Socket) => {
    let text: string | null = null;
    let rest = '';
    socket.on('error', () => undefined);
    socket.write('220 here\r\n');
    socket.on('data', (chunk: Buffer) => {
      rest += chunk.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (text !== null) {
          if (line !== '.') {
            text += `${line}\n`;
            continue;
          }
          received.push(text);
          text = null;
          if (script.afterText === 'hang up') return socket.destroy();
          socket.write(`${script.afterText ?? '250 kept'}\r\n`);
        } else if (/^DATA/i.test(line)) {
          if (script.data === undefined) text = '';
          socket.write(`${script.data ?? '354 go on'}\r\n`);
        } else if (/^RCPT/i.test(line)) socket.write(`${script.recipient ?? '250 ok'}\r\n`);
        else socket.write('250 ok\r\n');
      }
    });
  };
  const listening = createServer(talk);
  servers.push(listening);
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `smtp://127.0.0.1:${address.port}`, received, port: address.port };
}

const MAIL = {
  to: 'ada@example.test',
  subject: 'Reset your password',
  text: 'Grüße\nhttps://x.test/?token=a_b-c',
};
const from = 'Bellwether <support@example.test>';

test('a mail arrives with its subject and its text', async () => {
  const { url, received } = await server({});
  expect(await smtp({ url, from }).send(MAIL)).toEqual({ outcome: 'sent' });
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
  const { url } = await server(script);
  expect(await smtp({ url, from }).send(MAIL)).toMatchObject(outcome);
});

test('an unreachable server is a transient failure', async () => {
  const { port } = await server({});
  servers.splice(0).forEach((one) => one.close());
  expect(await smtp({ url: `smtp://127.0.0.1:${port}`, from }).send(MAIL)).toMatchObject({
    outcome: 'refused',
    mayPass: true,
  });
});
