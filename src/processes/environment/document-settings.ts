// Where signed agreements move to: a bucket of an object store, or nowhere, and the database keeps them.
import type { S3Config } from '#adapters/documents/s3-documents.ts';
import { isLoopback } from './loopback.ts';

/** Null: the database keeps them. Throws an Error that names the setting. */
export function readDocumentStore(text: (name: string) => string | null): S3Config | null {
  const given = text('DOCUMENT_STORE_URL');
  const [keyId, secretKey] = [text('DOCUMENT_STORE_KEY_ID'), text('DOCUMENT_STORE_SECRET_KEY')];
  if (given === null) {
    if (keyId !== null || secretKey !== null)
      throw new Error(
        'DOCUMENT_STORE_URL is missing: the keys of a document store are set, such as https://s3.example.test/agreements',
      );
    return null;
  }
  if (!URL.canParse(given) || new URL(given).pathname.replace(/\/+$/, '') === '')
    throw new Error(
      `DOCUMENT_STORE_URL must be an address with a bucket, such as https://s3.example.test/agreements, not "${given}"`,
    );
  const { protocol, hostname } = new URL(given);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    throw new Error(
      `DOCUMENT_STORE_URL is ${given}, and documents would travel unencrypted: set it to an https address`,
    );
  if (keyId === null || secretKey === null)
    throw new Error('DOCUMENT_STORE_URL needs DOCUMENT_STORE_KEY_ID and DOCUMENT_STORE_SECRET_KEY');
  const url = given.replace(/\/+$/, '');
  return { url, region: text('DOCUMENT_STORE_REGION') ?? 'us-east-1', keyId, secretKey };
}
