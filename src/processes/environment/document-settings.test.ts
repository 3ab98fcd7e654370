import { expect, test } from 'vitest';
import { readDocumentStore } from './document-settings.ts';

const KEYS = { DOCUMENT_STORE_KEY_ID: 'id', DOCUMENT_STORE_SECRET_KEY: 'secret' };
const read = (variables: Readonly<Record<string, string>>) =>
  readDocumentStore((name) => variables[name] ?? null);

test('without settings the database keeps the documents', () => {
  expect(read({})).toBeNull();
});

test('a bucket with its keys is the store', () => {
  expect(read({ ...KEYS, DOCUMENT_STORE_URL: 'https://s3.example.test/agreements/' })).toEqual({
    url: 'https://s3.example.test/agreements',
    region: 'us-east-1',
    keyId: 'id',
    secretKey: 'secret',
  });
  expect(
    read({ ...KEYS, DOCUMENT_STORE_URL: 'http://127.0.0.1:9000/a', DOCUMENT_STORE_REGION: 'eu-central-2' }),
  ).toMatchObject({ url: 'http://127.0.0.1:9000/a', region: 'eu-central-2' });
});

test.each([
  [KEYS, 'DOCUMENT_STORE_URL is missing'],
  [{ ...KEYS, DOCUMENT_STORE_URL: 'bucket' }, 'must be an address with a bucket'],
  [{ ...KEYS, DOCUMENT_STORE_URL: 'https://s3.example.test/' }, 'must be an address with a bucket'],
  [{ ...KEYS, DOCUMENT_STORE_URL: 'http://s3.example.test/agreements' }, 'would travel unencrypted'],
  [{ DOCUMENT_STORE_URL: 'https://s3.example.test/agreements' }, 'needs DOCUMENT_STORE_KEY_ID'],
])('%j is refused: %s', (variables, said) => {
  expect(() => read(variables)).toThrow(said);
});
