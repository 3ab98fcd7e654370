// Against a TLS server with a certificate of its own authority.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { readReceivers } from '../environment/receivers.ts';
import { openLogCollector } from './log-collector.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-logs-'));
const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [string, string];
execFileSync(
  'openssl',
  `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${cert}`.split(
    ' ',
  ),
  { stdio: 'ignore' },
);
const pem = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };

const collectors: { end(): void }[] = [];
const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const collector of collectors.splice(0)) collector.end();
  for (const server of servers.splice(0)) server.close();
});

/** What it has been sent, and how to break its connections. */
async function collect(port = 0) {
  const sockets: TLSSocket[] = [];
  let received = '';
  const server = createServer(pem, (socket) => {
    sockets.push(socket);
    socket.on('data', (data) => (received += data.toString()));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((open) => server.listen(port, '127.0.0.1', open));
  servers.push(server);
  return {
    port: (server.address() as { port: number }).port,
    lines: () => received.split('\n').slice(0, -1),
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function sendTo(port: number, ca: string | null = pem.cert) {
  const collector = openLogCollector({ host: 'localhost', port, ca });
  collectors.push(collector);
  return collector;
}

test('each line arrives, in order, also those of before the connection', async () => {
  const server = await collect();
  const collector = sendTo(server.port);
  for (let i = 0; i < 2_000; i++) collector.write(`{"i":${i}}\n`);
  await expect.poll(server.lines, { timeout: 20_000 }).toHaveLength(2_000);
  expect(server.lines()).toEqual(Array.from({ length: 2_000 }, (_, i) => `{"i":${i}}`));
});

test('while the collector is away lines are kept, and follow once it is back', async () => {
  const first = await collect();
  const collector = sendTo(first.port);
  collector.write('{"a":1}\n');
  await expect.poll(first.lines, { timeout: 20_000 }).toEqual(['{"a":1}']);
  await first.stop();
  await new Promise((go) => setTimeout(go, 100));
  collector.write('{"b":2}\n');
  const second = await collect(first.port);
  await expect.poll(second.lines, { timeout: 20_000 }).toEqual(['{"b":2}']);
});

test('beyond its limit the oldest lines go, and how many is said', async () => {
  const port = (await collect()).port;
  await (servers.pop() as { close(): unknown }).close();
  const collector = sendTo(port);
  const long = 'x'.repeat(1_000_000);
  for (let i = 0; i < 12; i++) collector.write(`{"i":${i},"x":"${long}"}\n`);
  const server = await collect(port);
  await expect.poll(() => server.lines().length, { timeout: 20_000 }).toBeGreaterThan(1);
  await expect.poll(() => server.lines().at(-1)?.startsWith('{"i":11,'), { timeout: 20_000 }).toBe(true);
  const [said, oldest] = server.lines();
  expect(JSON.parse(said!)).toMatchObject({ msg: 'log: lines were dropped', dropped: 5 });
  expect(oldest!.startsWith('{"i":5,')).toBe(true);
});

test('a collector whose certificate nobody vouches for gets nothing', async () => {
  const server = await collect();
  const collector = sendTo(server.port, null);
  collector.write('{"secret":"no"}\n');
  await new Promise((go) => setTimeout(go, 1_500));
  expect(server.lines()).toEqual([]);
});

test('LOG_HOST is a host and a port', () => {
  const read = (variables: Record<string, string>) =>
    readReceivers((name) => variables[name] ?? null).logCollector;
  expect(read({})).toBeNull();
  expect(read({ LOG_HOST: 'logs.example.test:6514' })).toEqual({
    host: 'logs.example.test',
    port: 6514,
    ca: null,
  });
  expect(read({ LOG_HOST: 'localhost:1', LOG_CA_FILE: cert })?.ca).toBe(pem.cert);
  expect(() => read({ LOG_HOST: 'logs.example.test' })).toThrow('LOG_HOST must be a host and a port');
  expect(() => read({ LOG_HOST: 'a:1', LOG_CA_FILE: '/nowhere.pem' })).toThrow('LOG_CA_FILE cannot be read');
});
