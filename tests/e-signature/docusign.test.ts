// The real service's adapter against its stand-in, over sockets on both sides: the product asks the service, the service
// sends its notices to the product.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { createDocusignClient } from '#adapters/signing/docusign/docusign-client.ts';
import { createDocusignSigning } from '#adapters/signing/docusign/docusign-signing.ts';
import { createEnvelopeStore } from '#records/agreements/agreements.ts';
import { mountSignatureStandIn } from '#sandbox/e-signature/stand-in.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { personPage } from '#tests/support/person-page.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '#tests/support/test-person.ts';

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const integrationKey = randomUUID();
const userId = randomUUID();
const connectKeys = [
  'the key of last year, forty characters on',
  'the key of this year, forty characters on',
];

const service = Fastify();
const standIn = mountSignatureStandIn(service, {
  nowMs: Date.now,
  integrationKey,
  userId,
  publicKeyPem: keys.publicKey,
  connectKeys,
});
const vendor = await service.listen({ port: 0, host: '127.0.0.1' });
const settings = {
  authUrl: vendor,
  integrationKey,
  userId,
  privateKeyPem: keys.privateKey,
  accountId: null,
};

let base = '';
const app = await testApp({}, (records) => {
  const signing = createDocusignSigning({
    client: createDocusignClient(settings, { nowSeconds: () => Date.now() / 1000 }),
    store: createEnvelopeStore(records.database),
    integrationKey,
    scriptUrl: `${vendor}/bundle.js`,
    appsOrigin: vendor,
    // One key is enough: the vendor signs with each of its own.
    noticeKeys: connectKeys.slice(1),
    get signingPage() {
      return `${base}/sign`;
    },
    get noticeUrl() {
      return `${base}/api/docusign-connect`;
    },
  });
  return { signing, signingCeremony: null, vendorSigning: signing };
});
base = await app.app.listen({ port: 0, host: '127.0.0.1' });
Object.assign(app.dependencies.config, { publicUrl: base });
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await service.close();
});

test('a person signs on the page of the service within ours, and gets the document', async () => {
  const ana = await eligiblePerson();
  const page = await personPage(browser, base, ana);
  const address = await page.evaluate<string>(
    `fetch('/api/investment-agreement-url', { headers: { authorization: 'Bearer ${ana.token}' } })
       .then((answer) => answer.json()).then((body) => body.signing_url)`,
  );
  await page.goto(address);
  const signing = page.frameLocator('#vendor iframe');
  await signing.getByLabel('Full name').fill('Ada Lovelace');
  await signing.getByRole('button', { name: 'Finish Signing!' }).click();
  // Alone in its window the page goes back to the product, which asks the service.
  await page.waitForURL(/event=signing_complete/);
  expect(await statusOf(ana)).toEqual({ status: true });
  const { body: agreements } = await get(ana, '/api/agreements/');
  expect(agreements).toMatchObject([{ signed_name: 'Ada Lovelace' }]);
  const document = await app.app.inject({
    url: agreements[0].document_url,
    headers: { authorization: `Bearer ${ana.token}` },
  });
  expect(document.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  await page.context().close();
});

test('signing_complete in an address counts for nothing while the service says otherwise', async () => {
  const ana = await eligiblePerson();
  const { envelopeId } = await startSigning(ana);
  for (const query of ['event=signing_complete', `event=signing_complete&envelopeId=${envelopeId}`]) {
    expect((await get(ana, `/api/docusign-callback?${query}`)).body).toEqual({ status: false });
    expect((await app.request({ method: 'GET', url: `/sign/returned?${query}` })).status).toBe(200);
  }
  expect(await statusOf(ana)).toEqual({ status: false });
});

test('a notice signs by its signature over the bytes alone, once, however often it comes', async () => {
  const ana = await eligiblePerson();
  const signing = await startSigning(ana);
  await act(await openView(signing), 'sign');
  const notice = standIn.notices.newest()!;
  const send = (body: string, headers: Record<string, string>) =>
    fetch(notice.url, { method: 'POST', body, headers }).then(({ status }) => status);

  const unsigned = { 'content-type': 'application/json' };
  expect(await send(notice.body, unsigned)).toBe(403);
  expect(await send(`${notice.body} `, notice.headers)).toBe(403);
  expect(await send(notice.body, { ...unsigned, 'x-docusign-signature-1': 'AAAA' })).toBe(403);
  const { 'x-docusign-signature-2': _, ...former } = notice.headers;
  expect(await send(notice.body, former)).toBe(403);
  expect(await signedOf(ana)).toEqual([]);

  expect(await send(notice.body, notice.headers)).toBe(200);
  const [once] = await signedOf(ana);
  expect(once).toMatchObject({ status: 'signed', envelope_id: signing.envelopeId });
  expect(await standIn.notices.deliver()).toContain(200);
  expect(await send(notice.body, notice.headers)).toBe(200);
  expect(await signedOf(ana)).toEqual([once]);
});

test('a notice with a valid signature is asked of the service, and never believed', async () => {
  const ana = await eligiblePerson();
  const { envelopeId } = await startSigning(ana);
  await standIn.notices.deliver();
  const envelope = standIn.books.find(envelopeId)!;
  standIn.notices.note(envelope, 'envelope-completed');
  expect(await standIn.notices.deliver()).toEqual([200]);
  expect(await signedOf(ana)).toEqual([]);
});

test('a lost answer makes no second envelope, and a second start uses the first', async () => {
  const ana = await eligiblePerson();
  standIn.loseNextAnswer();
  const lost = await get(ana, '/api/investment-agreement-url');
  expect(lost).toMatchObject({
    status: 503,
    body: { message: 'The signing service is not answering. Please try again in a few minutes.' },
  });
  const found = await startSigning(ana);
  const again = await startSigning(ana);
  expect(again.envelopeId).toBe(found.envelopeId);
  expect(envelopesOf(ana)).toHaveLength(1);
  await act(await openView(again), 'sign');
  expect(await statusOf(ana)).toEqual({ status: true });
});

test('while the service is down nothing is signed or lost, and its notice comes again', async () => {
  const ana = await eligiblePerson();
  const signing = await startSigning(ana);
  const view = await openView(signing);
  await standIn.notices.deliver();
  await act(view, 'sign');
  standIn.setDown(true);
  expect(await standIn.notices.deliver()).toEqual([503]);
  expect(await get(ana, '/api/docusign-callback')).toMatchObject({ status: 503 });
  const page = await app.app.inject({ url: signing.path, headers: { cookie: signing.cookie } });
  expect(page.statusCode).toBe(503);
  expect(page.body).toContain('The signing service is not answering');
  standIn.setDown(false);
  expect(await standIn.notices.deliver()).toEqual([200]);
  expect(await statusOf(ana)).toEqual({ status: true });
});

test('who declines has signed nothing, and may start again', async () => {
  const ana = await eligiblePerson();
  const first = await startSigning(ana);
  await act(await openView(first), 'decline');
  expect(await statusOf(ana)).toEqual({ status: false });
  const second = await startSigning(ana);
  expect(second.envelopeId).not.toBe(first.envelopeId);
  await act(await openView(second), 'sign');
  expect(await statusOf(ana)).toEqual({ status: true });
});

test('the page opens only to who asked for it, and each time with a new view', async () => {
  const signing = await startSigning(await eligiblePerson());
  const stranger = await app.app.inject({ url: signing.path });
  expect(stranger.statusCode).toBe(403);
  const [one, two] = [await openView(signing), await openView(signing)];
  expect(one).not.toBe(two);
  expect((await fetch(one)).status).toBe(410);
});

test('the page may run the script of the service and show its frames, and the rest of the product may not', async () => {
  const signing = await startSigning(await eligiblePerson());
  const page = await app.app.inject({ url: signing.path, headers: { cookie: signing.cookie } });
  expect(page.headers['content-security-policy']).toContain(`script-src 'self' ${vendor};`);
  const other = await app.app.inject({ url: '/sign/returned' });
  expect(other.headers['content-security-policy']).not.toContain(vendor);
});

test('a user who has not consented, and a key that is not the app’s, get no token', async () => {
  const client = (changed: Partial<typeof settings>) =>
    createDocusignClient({ ...settings, ...changed }, { nowSeconds: () => Date.now() / 1000 });
  await expect(client({ userId: randomUUID() }).ask('GET', '/envelopes')).rejects.toThrow('consent_required');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const privateKeyPem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await expect(client({ privateKeyPem }).ask('GET', '/envelopes')).rejects.toThrow('invalid_grant');
});

async function eligiblePerson(): Promise<TestPerson> {
  const person = await signedInPerson(app);
  const body = { date_of_birth: '1980-02-29', country: 'CH' };
  await app.request({ method: 'PATCH', url: '/api/auth/me/', token: person.token, body });
  return person;
}

function get({ token }: TestPerson, url: string) {
  return app.request({ method: 'GET', url, token });
}

async function statusOf(person: TestPerson): Promise<unknown> {
  return (await get(person, '/api/docusign-callback')).body;
}

type Started = { readonly path: string; readonly cookie: string; readonly envelopeId: string };

async function startSigning(person: TestPerson): Promise<Started> {
  const { status, body, headers } = await get(person, '/api/investment-agreement-url');
  expect(status).toBe(200);
  const cookie = String(headers['set-cookie']).split(';', 1)[0]!;
  return { path: new URL(body.signing_url).pathname, cookie, envelopeId: body.envelope_id };
}

/** The address of the service's page, opened. */
async function openView({ path, cookie }: Started): Promise<string> {
  const page = await app.app.inject({ url: path, headers: { cookie } });
  expect(page.statusCode).toBe(200);
  const url = /data-url="([^"]+)"/.exec(page.body)![1]!;
  expect((await fetch(url)).status).toBe(200);
  return url;
}

async function act(view: string, pressed: 'sign' | 'decline'): Promise<void> {
  const answer = await fetch(view, { method: 'POST', body: new URLSearchParams({ act: pressed }) });
  expect(answer.status).toBe(200);
}

async function signedOf({ id }: TestPerson): Promise<unknown[]> {
  const { rows } = await app.records.pool.query<Record<string, unknown>>(
    `select status, envelope_id, sealed_hash, evidence, signed_at from agreements where user_id = $1 and status = 'signed'`,
    [id],
  );
  return rows;
}

function envelopesOf({ id }: TestPerson) {
  return standIn.books.list().filter(({ signer }) => signer.clientUserId === id);
}
