// Against a TLS server with a certificate of its own authority.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { httpsSender } from './https-sender.ts';
import { isPublicAddress } from './public-address.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'webhooks-'));
const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [string, string];
execFileSync(
  'openssl',
  `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=hooks.test -addext subjectAltName=DNS:hooks.test -keyout ${key} -out ${cert}`.split(
    ' ',
  ),
  { stdio: 'ignore' },
);
const pem = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
afterAll(() => rmSync(folder, { recursive: true }));

const asked: { path: string; body: string; signature: string | undefined }[] = [];
let status = 200;
const receiver = createServer(pem, (request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    asked.push({ path: request.url!, body, signature: request.headers['webhook-signature'] as string });
    if (status === 0) return;
    response.writeHead(status, { location: '/elsewhere' }).end('thanks');
  });
});
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
afterAll(() => receiver.close());
const { port } = receiver.address() as AddressInfo;

/** To the receiver, whatever the name is: as a name server that its owner controls would have it. */
const here = { find: async () => [{ address: '127.0.0.1', family: 4 }], ca: pem.cert };
const post = (host = 'hooks.test') => ({
  url: `https://${host}:${port}/bellwether?a=1`,
  headers: { 'content-type': 'application/json', 'webhook-signature': 'v1,x' },
  body: '{"type":"test — Ä"}',
});

test('body and headers arrive as they were signed, and the status is the answer', async () => {
  status = 204;
  const sender = httpsSender({ ...here, isAllowed: () => true });
  expect(await sender.send(post())).toEqual({ outcome: 'answered', status: 204, retryAfterSeconds: null });
  expect(asked.at(-1)).toEqual({ path: '/bellwether?a=1', body: post().body, signature: 'v1,x' });
});

test('a redirect is not followed', async () => {
  status = 302;
  const before = asked.length;
  const sender = httpsSender({ ...here, isAllowed: () => true });
  expect(await sender.send(post())).toEqual({ outcome: 'answered', status: 302, retryAfterSeconds: null });
  expect(asked.length).toBe(before + 1);
});

test('a name that leads to this machine is not reached', async () => {
  const before = asked.length;
  expect(await httpsSender(here).send(post())).toEqual({ outcome: 'failed', code: 'forbidden_address' });
  const mixed = async () => [
    { address: '93.184.215.14', family: 4 },
    { address: '10.0.0.7', family: 4 },
  ];
  const sender = httpsSender({ ca: pem.cert, find: mixed });
  expect(await sender.send(post())).toEqual({ outcome: 'failed', code: 'forbidden_address' });
  expect(asked.length).toBe(before);
});

test('the name is looked up once: the connection goes to what was checked', async () => {
  status = 200;
  let looks = 0;
  const find = async () => {
    looks += 1;
    // A second look would lead away.
    return [{ address: looks === 1 ? '127.0.0.1' : '127.9.9.9', family: 4 }];
  };
  const sender = httpsSender({ ca: pem.cert, find, isAllowed: () => true });
  expect(await sender.send(post())).toEqual({ outcome: 'answered', status: 200, retryAfterSeconds: null });
  expect(looks).toBe(1);
});

test.each([
  'http://hooks.test/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/',
])('%s is not reached', async (url) => {
  expect(await httpsSender().send({ ...post(), url })).toEqual({
    outcome: 'failed',
    code: 'forbidden_address',
  });
});

test('a receiver that says nothing is late, an unknown name is unreachable, and so is one that nobody vouches for', async () => {
  status = 0;
  const patient = httpsSender({ ...here, isAllowed: () => true, timeoutMs: 200 });
  expect(await patient.send(post())).toEqual({ outcome: 'failed', code: 'late' });
  const nowhere = httpsSender({ find: () => Promise.reject(new Error('no such name')) });
  expect(await nowhere.send(post())).toEqual({ outcome: 'failed', code: 'unreachable' });
  const strict = httpsSender({ find: here.find, isAllowed: () => true });
  expect(await strict.send(post())).toEqual({ outcome: 'failed', code: 'unreachable' });
});

test.each([
  ['93.184.215.14', true],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
  ['10.1.2.3', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.0.1', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fc00::1', false],
  ['ff02::1', false],
  ['::ffff:93.184.215.14', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['2001:db8::1', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
