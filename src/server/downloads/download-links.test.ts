// Links to private files: of one person, one session, one file and one use.
import { expect, test } from 'vitest';
import { billedDeployment } from '#tests/support/billed-deployment.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';

const app = await testApp();
const { request, records } = app;
const { person } = await billedDeployment(app);
const [bill] = (await request({ url: '/api/fees/bills/', token: person.token })).body;

const mint = (address: string, token = person.token) =>
  request({ method: 'POST', url: '/api/account/download-link/', token, body: { address } });
const linkTo = async (address: string, token?: string) => (await mint(address, token)).body.url as string;
const open = (url: string) => app.app.inject({ url });
const FILE = `/api/fees/bills/${bill.id}/csv/`;
const DEAD = 'This link was used or has expired. Start the download again.';

test.each([
  ['/api/fees/csv/', 'performance-fees.csv'],
  ['/api/fees/csv/?limit=1', 'performance-fees.csv'],
  [FILE, `performance-fee-${bill.number}.csv`],
  ['/api/account/export/file', 'my-data.zip'],
])('%s opens without a token, once', async (address, name) => {
  const url = await linkTo(address);
  const file = await open(url);
  expect([file.statusCode, file.body.slice(0, 200)]).toEqual([200, expect.any(String)]);
  expect(file.headers).toMatchObject({
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'private, no-store',
  });
  const again = await open(url);
  expect([again.statusCode, again.json()]).toEqual([400, { code: 'invalid_token', message: DEAD }]);
});

test('the cash of a deployment opens by a link of its owner', async () => {
  const { person: owner, deploymentId } = await newDeployment(app);
  const file = await open(await linkTo(`/api/deployments/${deploymentId}/cash/csv/`, owner.token));
  expect([file.statusCode, file.headers['content-disposition']]).toEqual([
    200,
    'attachment; filename="cash-ledger.csv"',
  ]);
});

test('of many at once one is answered', async () => {
  const url = await linkTo(FILE);
  const answers = await Promise.all(Array.from({ length: 8 }, () => open(url)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(7);
});

test('it opens no other file, query or call, and its secret is not stored', async () => {
  const secret = new URL(await linkTo(FILE), 'http://x').searchParams.get('link')!;
  for (const other of ['/api/fees/csv/', `${FILE}?limit=1`, `/api/fees/bills/${bill.id}/statement/`])
    expect((await open(`${other}${other.includes('?') ? '&' : '?'}link=${secret}`)).statusCode).toBe(400);
  for (const call of ['/api/auth/me/', '/api/fees/bills/', `/api/fees/bills/${bill.id}/`])
    expect((await open(`${call}?link=${secret}`)).statusCode, call).toBe(401);
  const { rows } = await records.pool.query(
    'select token_hash, address from download_links where address = $1',
    [FILE],
  );
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(rows.every(({ token_hash: hash }) => !hash.equals(Buffer.from(secret)))).toBe(true);
  expect((await open(`${FILE}?link=${secret}`)).statusCode).toBe(200);
});

test('somebody else’s file is as absent with a link as with a token', async () => {
  const stranger = await signedInPerson(app);
  const url = await linkTo(FILE, stranger.token);
  expect((await open(url)).statusCode).toBe(404);
});

test('a token in the header goes before a link, which it does not use up', async () => {
  const url = await linkTo(FILE);
  const stranger = await signedInPerson(app);
  const headers = { authorization: `Bearer ${stranger.token}` };
  expect((await app.app.inject({ url, headers })).statusCode).toBe(404);
  expect((await app.app.inject({ method: 'HEAD', url })).statusCode).toBe(401);
  expect((await open(url)).statusCode).toBe(200);
});

test('it ends with its minute', async () => {
  const url = await linkTo(FILE);
  const before = app.world.now;
  app.world.now = (before + 60_000) as typeof before;
  expect((await open(url)).statusCode).toBe(400);
  app.world.now = before;
});

test('it ends with the session that asked for it', async () => {
  const login = { email: person.email, password: PASSWORD };
  const second = await request({ method: 'POST', url: '/api/auth/login/', body: login });
  const url = await linkTo(FILE, second.body.token);
  await request({ method: 'POST', url: '/api/auth/logout/', token: second.body.token });
  expect((await open(url)).statusCode).toBe(400);
});

test('a file that asks for a confirmation asks for it before its link', async () => {
  const later = await signedInPerson(app);
  await records.pool.query(
    `update sessions set confirmed_at = confirmed_at - interval '1 hour' where user_id = $1`,
    [later.id],
  );
  expect(await mint('/api/account/export/file', later.token)).toMatchObject({
    body: { code: 'confirmation_required' },
  });
});

test.each([
  '/api/auth/me/',
  '/api/fees/bills/',
  `/api/fees/bills/${bill.id}/csv`,
  'https://example.com/api/fees/csv/',
  '//example.com/api/fees/csv/',
  '/api/fees/bills/../bills/csv/',
  `${FILE}?link=x`,
  `${FILE}#x`,
])('no link is made to %s', async (address) => {
  expect(await mint(address)).toMatchObject({
    status: 400,
    body: {
      code: 'invalid_field',
      field: 'address',
      message: 'address: name a private file, such as /api/fees/bills/{id}/csv/.',
    },
  });
});
