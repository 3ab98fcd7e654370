import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { startObjectStore, STORE_KEY } from '#tests/support/object-store.ts';
import { DocumentsUnavailable } from '#ports/document-store.ts';
import { s3Documents } from './s3-documents.ts';

const store = await startObjectStore();
afterAll(() => store.close());

const config = { region: 'us-east-1', keyId: STORE_KEY, secretKey: STORE_KEY, timeoutMs: 2_000 };
const documents = s3Documents({ ...config, url: store.url });
const bytes = (text: string) => new TextEncoder().encode(text);

async function namesOf(prefix: string): Promise<string[]> {
  return (await documents.list(prefix)).toSorted();
}

test('what is kept is read, again and again, and is gone once it is removed', async () => {
  const name = 'agreements/one/abc.pdf';
  expect(await documents.get(name)).toBeNull();
  await documents.put(name, bytes('first'));
  await documents.put(name, bytes('first'));
  expect(Buffer.from((await documents.get(name))!).toString()).toBe('first');
  await documents.remove(name);
  await documents.remove(name);
  expect(await documents.get(name)).toBeNull();
});

test('a list has the names with the prefix, and no others', async () => {
  for (const name of ['agreements/ada/1.pdf', 'agreements/ada/2.pdf', 'agreements/adam/1.pdf'])
    await documents.put(name, bytes(name));
  expect(await namesOf('agreements/ada/')).toEqual(['agreements/ada/1.pdf', 'agreements/ada/2.pdf']);
  expect(await namesOf('agreements/eve/')).toEqual([]);
});

test('a wrong key and a missing bucket are refused in the words of the store', async () => {
  const stranger = s3Documents({ ...config, url: store.url, secretKey: 'another' });
  await expect(stranger.put('agreements/x/1.pdf', bytes('x'))).rejects.toThrow(
    'the document store: keeping agreements/x/1.pdf was answered with SignatureDoesNotMatch',
  );
  const lost = s3Documents({ ...config, url: store.url.replace('/agreements', '/nowhere') });
  await expect(lost.get('agreements/x/1.pdf')).rejects.toThrow('was answered with NoSuchBucket');
});

/** Answers the first requests itself, with an error, and hands the others on. */
async function failing(times: number): Promise<{ readonly server: Server; asked(): number }> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(asked <= times ? 503 : 200).end(asked <= times ? '<Code>SlowDown</Code>' : 'kept');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, asked: () => asked };
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/agreements`;

test('a store that fails for a moment is asked again, and one that fails for long is not asked forever', async () => {
  const briefly = await failing(2);
  const found = await s3Documents({ ...config, url: urlOf(briefly.server) }).get('agreements/x/1.pdf');
  expect(Buffer.from(found!).toString()).toBe('kept');
  const long = await failing(99);
  await expect(s3Documents({ ...config, url: urlOf(long.server) }).get('agreements/x/1.pdf')).rejects.toThrow(
    'was answered with SlowDown',
  );
  expect(long.asked()).toBe(3);
  briefly.server.close();
  long.server.close();
});

test('a store that is not there is said to be unavailable', async () => {
  const { server } = await failing(0);
  const url = urlOf(server);
  await new Promise((resolve) => server.close(resolve));
  await expect(s3Documents({ ...config, url }).get('agreements/x/1.pdf')).rejects.toThrow(
    DocumentsUnavailable,
  );
});
