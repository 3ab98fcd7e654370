// Nothing heavy on the request thread: while one person does the most expensive thing that is allowed, how long does everybody else
// wait? Counted in processor time of the request thread between two turns of its loop: what others compute on the machine does not
// count.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { createEmbeddedSigning } from '#adapters/signing/embedded/embedded-signing.ts';
import { openSealKey } from '#adapters/signing/embedded/seal-key.ts';
import { createEnvelopeStore } from '#records/agreements/agreements.ts';
import { png } from '#tests/support/pictures.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { ROUTES } from '#contract/http/route.ts';
import { EVERY_ENDPOINT } from '../../src/contract/every-endpoint.ts';
import { EVERY_CASE } from '../api/every-case.ts';
import { prepare } from '../api/send.ts';

const app = await testApp();
const folder = mkdtempSync(path.join(tmpdir(), 'heavy-'));
Object.assign(app.dependencies, {
  signing: createEmbeddedSigning({
    store: createEnvelopeStore(app.records.database),
    openKey: () =>
      openSealKey(path.join(folder, 'seal.pem'), { owner: randomBytes(4).toString('hex'), now: new Date() }),
    signingPage: 'http://product.test/sign',
  }),
});
afterAll(() => rmSync(folder, { recursive: true }));
const MILLISECOND = 1_000;
const WORST_MS = 300;

/** The longest turn of the loop while `work` goes on, in milliseconds of the thread's own processor time. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  let longest = 0;
  let before = process.threadCpuUsage();
  const working = work().finally(() => (state.isDone = true));
  while (!state.isDone) {
    await nextTurn();
    const used = process.threadCpuUsage(before);
    longest = Math.max(longest, (used.user + used.system) / MILLISECOND);
    before = process.threadCpuUsage();
  }
  await working;
  return longest;
}

const creating = async (form: Record<string, string | Uint8Array>) => {
  const sent = await EVERY_CASE.createStrategy!.success!(app);
  return prepare(EVERY_ENDPOINT.createStrategy, { ...sent, form: { ...sent.form, ...form } });
};

test('the count sees a thread that is held: a second of computing is no short turn', async () => {
  const held = await longestTurn(async () => {
    const until = process.threadCpuUsage().user + 500_000;
    while (process.threadCpuUsage().user < until);
  });
  expect(held).toBeGreaterThan(WORST_MS);
});

test('the largest picture', async () => {
  const request = await creating({ thumbnail: new Uint8Array(png(4_000, 3_000, 'large')) });
  const status: number[] = [];
  expect(
    await longestTurn(async () => {
      status.push((await app.app.inject(request)).statusCode);
    }),
  ).toBeLessThan(WORST_MS);
  expect(status).toEqual([201]);
});

test('a picture that says it is far larger than it is', async () => {
  const bomb = await creating({ thumbnail: new Uint8Array(claiming(30_000, png(4_000, 3_000, 'bomb'))) });
  const status: number[] = [];
  expect(
    await longestTurn(async () => {
      status.push((await app.app.inject(bomb)).statusCode);
    }),
  ).toBeLessThan(WORST_MS);
  expect(status).toEqual([422]);
});

/** The same picture with other sides in its header, whose check sum is right. */
function claiming(side: number, picture: Buffer): Buffer {
  const changed = Buffer.from(picture);
  changed.writeUInt32BE(side, 16);
  changed.writeUInt32BE(side, 20);
  changed.writeUInt32BE(crc32(changed.subarray(12, 29)), 29);
  return changed;
}

test('the largest body, nested as deep as is allowed, and texts at their limits', async () => {
  const { token } = await signedInPerson(app);
  const large = JSON.stringify({ a: Array.from({ length: 24_000 }, (_, i) => `${i}`.padStart(6, 'x')) });
  const nested = '{"a":['.repeat(45) + '1' + ']}'.repeat(45);
  for (const payload of [large, nested, `{"definition":"${'x'.repeat(250_000)}"}`])
    for (const { path: url } of [ROUTES.buildStrategy, ROUTES.createDeployment, ROUTES.createRiskProfile])
      expect(
        await longestTurn(() =>
          app.app.inject({
            method: 'POST',
            url,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            payload,
          }),
        ),
        url,
      ).toBeLessThan(WORST_MS);
});

test('twenty passwords at once', async () => {
  const { email } = await signedInPerson(app);
  expect(
    await longestTurn(() =>
      Promise.all(
        Array.from({ length: 20 }, () =>
          app.request({ method: 'POST', url: '/api/auth/login/', body: { email, password: PASSWORD } }),
        ),
      ),
    ),
  ).toBeLessThan(WORST_MS);
});

test('every call at its success', async () => {
  for (const [name, endpoint] of Object.entries(EVERY_ENDPOINT)) {
    if ('media' in endpoint && endpoint.media === 'text/event-stream') continue;
    const sent = await EVERY_CASE[name as keyof typeof EVERY_CASE]!.success!(app);
    const request = await prepare(endpoint, sent);
    // What is loaded and compiled once in the life of a process is no way to hold it.
    await app.app.inject(request);
    expect(await longestTurn(() => app.app.inject(request)), name).toBeLessThan(WORST_MS);
  }
}, 120_000);
