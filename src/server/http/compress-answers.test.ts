import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { compressAnswers } from './compress-answers.ts';

const LARGE = { text: 'the same again '.repeat(1_000) };
const app = fastify();
compressAnswers(app);
app.get('/large', async () => LARGE);
app.get('/small', async () => ({ text: 'short' }));
afterAll(() => app.close());

const ask = (url: string, accepted: string) =>
  app.inject({ url, headers: accepted === '' ? {} : { 'accept-encoding': accepted } });

test('a large answer is sent as brotli, else gzip, else uncompressed, with the matching header', async () => {
  const brotli = await ask('/large', 'gzip, deflate, br, zstd');
  expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString())).toEqual(LARGE);
  const zipped = await ask('/large', 'gzip, br;q=0');
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(JSON.parse(gunzipSync(zipped.rawPayload).toString())).toEqual(LARGE);
  const plain = await ask('/large', '');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.json()).toEqual(LARGE);
});

test('a small answer is not compressed', async () => {
  expect((await ask('/small', 'br')).headers['content-encoding']).toBeUndefined();
});
