// Signed agreements in an object store: what a person is given is the same as from the database, and erased is erased there too.
import { createHash, randomUUID } from 'node:crypto';
import { unzipSync } from 'fflate';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { s3Documents } from '#adapters/documents/s3-documents.ts';
import { type DocumentStore, DocumentsUnavailable } from '#ports/document-store.ts';
import { moveDocuments } from '#records/agreements/agreement-documents.ts';
import { createEnvelopeStore } from '#records/agreements/agreements.ts';
import { startObjectStore, STORE_KEY } from '#tests/support/object-store.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '#tests/support/test-person.ts';

const server = await startObjectStore();
const store = s3Documents({ url: server.url, region: 'us-east-1', keyId: STORE_KEY, secretKey: STORE_KEY });
/** What the product asks; a test takes it away. */
let reached: DocumentStore = store;
const app = await testApp({}, undefined, {
  documents: {
    put: (...given) => reached.put(...given),
    get: (...given) => reached.get(...given),
    remove: (...given) => reached.remove(...given),
    list: (...given) => reached.list(...given),
  },
});
const { records, request } = app;
const { database, pool } = records;
afterAll(() => server.close());
beforeEach(() => {
  reached = store;
});

const hashOf = (document: Buffer) => createHash('sha256').update(document).digest('hex');

type Signed = { readonly id: string; readonly sealed: Buffer; readonly person: TestPerson };

async function signedAgreement(): Promise<Signed> {
  const person = await signedInPerson(app);
  const id = randomUUID();
  const [presented, sealed] = [Buffer.from(`%PDF presented ${id}`), Buffer.from(`%PDF sealed ${id}`)];
  await pool.query(
    `insert into agreements (id, user_id, version, provider, envelope_id, status, document_hash, unsigned_pdf, sealed_hash,
       sealed_pdf, signed_name, expires_at, signed_at, content)
     values ($1, $2, '1', 'embedded', $1::uuid::text, 'signed', $3, $4, $5, $6, 'Ada', now(), now(),
       '{"agreement": {}, "signer": {"name": "Ada", "email": "ada@example.test"}, "returnUrl": "", "sessionId": ""}')`,
    [id, person.id, hashOf(presented), presented, hashOf(sealed), sealed],
  );
  return { id, sealed, person };
}

const bytesInRow = async (id: string) => {
  const { rows } = await pool.query<{ bytes: number }>(
    'select coalesce(length(sealed_pdf), 0) + coalesce(length(unsigned_pdf), 0) as bytes from agreements where id = $1',
    [id],
  );
  return rows[0]?.bytes;
};

const download = ({ id, person }: Signed) =>
  app.app.inject({
    url: `/api/agreements/${id}/document/`,
    headers: { authorization: `Bearer ${person.token}` },
  });

test('a signed agreement moves to the store, and its person gets the same bytes as before', async () => {
  const signed = await signedAgreement();
  const before = await download(signed);
  expect(before.statusCode).toBe(200);
  expect(await moveDocuments(database, store)).toEqual({ moved: 1, removed: 0 });
  expect(await bytesInRow(signed.id)).toBe(0);
  expect(await store.list(`agreements/${signed.id}/`)).toHaveLength(2);
  const after = await download(signed);
  expect(after.rawPayload).toEqual(before.rawPayload);
  expect(after.headers).toMatchObject({ 'content-type': before.headers['content-type'] });
  expect(await createEnvelopeStore(database, store).find(signed.id)).toMatchObject({
    status: 'signed',
    presented: Buffer.from(`%PDF presented ${signed.id}`),
    signed: { sealedDocument: signed.sealed },
  });
  expect(await moveDocuments(database, store)).toEqual({ moved: 0, removed: 0 });
});

test('nobody gets the document of somebody else, wherever it is', async () => {
  const signed = await signedAgreement();
  await moveDocuments(database, store);
  const eve = await signedInPerson(app);
  expect((await download({ ...signed, person: eve })).statusCode).toBe(404);
});

test('an export has the document from the store', async () => {
  const { person, sealed } = await signedAgreement();
  await moveDocuments(database, store);
  const { rawPayload } = await app.app.inject({
    url: '/api/account/export/file',
    headers: { authorization: `Bearer ${person.token}` },
  });
  const files = unzipSync(new Uint8Array(rawPayload));
  const name = Object.keys(files).find((one) => one.endsWith('agreement-1.pdf'))!;
  expect(Buffer.from(files[name]!)).toEqual(sealed);
});

test('a document that was changed or is lost in the store is not handed out', async () => {
  const signed = await signedAgreement();
  await moveDocuments(database, store);
  const name = `agreements/${signed.id}/${hashOf(signed.sealed)}.pdf`;
  await store.put(name, Buffer.from('%PDF another'));
  expect((await download(signed)).statusCode).toBe(503);
  await store.remove(name);
  expect((await download(signed)).statusCode).toBe(503);
});

test('while the store is away rows keep what they have, and what moved already is asked for later', async () => {
  const moved = await signedAgreement();
  await moveDocuments(database, store);
  const away = () => Promise.reject(new DocumentsUnavailable('it is away'));
  reached = { put: away, get: away, remove: away, list: away };
  const answer = await download(moved);
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ code: 'unavailable' });
  const later = await signedAgreement();
  await expect(moveDocuments(database, reached)).rejects.toThrow('it is away');
  expect((await download(later)).rawPayload).toEqual(later.sealed);
  reached = store;
  await moveDocuments(database, store);
  expect((await download(later)).rawPayload).toEqual(later.sealed);
});

test('who is about to sign waits for no store, and a document that moves is not lost when the move is broken off', async () => {
  const signed = await signedAgreement();
  const open = await signedAgreement();
  await pool.query(
    `update agreements set status = 'created', sealed_pdf = null, sealed_hash = null, signed_at = null, expires_at = now() + interval '1 hour'
     where id = $1`,
    [open.id],
  );
  let puts = 0;
  const breaking: DocumentStore = {
    ...store,
    put: (...given) => ((puts += 1) === 2 ? Promise.reject(new Error('killed')) : store.put(...given)),
  };
  await expect(moveDocuments(database, breaking)).rejects.toThrow('killed');
  expect(await bytesInRow(signed.id)).toBeGreaterThan(0);
  await moveDocuments(database, store);
  expect(await bytesInRow(signed.id)).toBe(0);
  expect(await bytesInRow(open.id)).toBeGreaterThan(0);
});

test('what is erased here is removed there, also when the store is away at first', async () => {
  const signed = await signedAgreement();
  const other = await signedAgreement();
  await moveDocuments(database, store);
  await pool.query('delete from agreements where id = $1', [signed.id]);
  const broken: DocumentStore = { ...store, remove: () => Promise.reject(new Error('away')) };
  await expect(moveDocuments(database, broken)).rejects.toThrow('away');
  expect(await store.list(`agreements/${signed.id}/`)).toHaveLength(2);
  expect(await moveDocuments(database, store)).toEqual({ moved: 0, removed: 1 });
  expect(await store.list(`agreements/${signed.id}/`)).toEqual([]);
  expect(await store.list(`agreements/${other.id}/`)).toHaveLength(2);
});

test('an agreement whose documents never left the database leaves nothing to remove', async () => {
  const signed = await signedAgreement();
  await pool.query('delete from agreements where id = $1', [signed.id]);
  expect(await moveDocuments(database, store)).toEqual({ moved: 0, removed: 0 });
});

test('two workers move each document once', async () => {
  const signed = await Promise.all(Array.from({ length: 6 }, signedAgreement));
  const both = await Promise.all([moveDocuments(database, store), moveDocuments(database, store)]);
  expect(both.reduce((sum, { moved }) => sum + moved, 0)).toBe(signed.length);
  for (const one of signed) expect((await download(one)).rawPayload).toEqual(one.sealed);
  expect((await request({ url: '/api/agreements/', token: signed[0]!.person.token })).status).toBe(200);
});
