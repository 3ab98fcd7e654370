// The function of docs/developers/webhooks.md, run on the delivery that stands there and on one of ours.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { instant } from '#units/instant.ts';
import { newWebhookSecret, signatureHeaders } from './webhook-secrets.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/developers/webhooks.md'), 'utf8');
const file = path.join(tmpdir(), `is-ours-${process.pid}.mjs`);
writeFileSync(file, /```js\n([\s\S]+?)```/.exec(page)![1]!);
const { isOurs } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
  isOurs: (
    secret: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    nowSeconds: number,
  ) => boolean;
};
rmSync(file);

test('the delivery of the page is ours, and nobody else’s', () => {
  const [head, body] = /```http\n([\s\S]+?)\n```/.exec(page)![1]!.split('\n\n') as [string, string];
  const headers = Object.fromEntries(
    head
      .split('\n')
      .slice(1)
      .map((line) => line.split(': ') as [string, string]),
  );
  const secret = /`(whsec_[^`]+=)`/.exec(page)![1]!;
  const now = Number(headers['webhook-timestamp']);
  expect(isOurs(secret, headers, body, now + 60)).toBe(true);
  expect(isOurs(secret, headers, body, now + 301)).toBe(false);
  expect(isOurs(secret, headers, `${body} `, now)).toBe(false);
});

test('what we sign is ours by either secret of a rotation, and by no other', () => {
  const at = instant(Date.UTC(2026, 0, 5, 15));
  const [newest, former] = [newWebhookSecret(), newWebhookSecret()];
  const body = '{"type":"test"}';
  const headers = signatureHeaders({ id: 'a', at, body }, [newest, former]);
  for (const secret of [newest, former]) expect(isOurs(secret, headers, body, at / 1000)).toBe(true);
  expect(isOurs(newWebhookSecret(), headers, body, at / 1000)).toBe(false);
});
