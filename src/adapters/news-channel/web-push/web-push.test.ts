import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import type { WebhookOutcome, WebhookPost } from '#ports/webhook-sender.ts';
import { vapidKeyOf } from '#server/news/vapid-key.ts';
import { encryptPush } from './encrypt-push.ts';
import { webPush } from './web-push.ts';

test('a push is encrypted as the example of RFC 8291, appendix A', () => {
  const ours = createECDH('prime256v1');
  ours.setPrivateKey('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url');
  const sealed = encryptPush(
    'When I grow up, I want to be a watermelon',
    {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    { ours, salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url') },
  );
  expect(sealed.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

const answered = (status: number, retryAfterSeconds: number | null = null): WebhookOutcome => ({
  outcome: 'answered',
  status,
  retryAfterSeconds,
});

const key = vapidKeyOf({ id: 'k', bytes: new Uint8Array(32).fill(7) });
const browser = createECDH('prime256v1');
browser.generateKeys();
const address = JSON.stringify({
  endpoint: 'https://push.example.com/a',
  p256dh: browser.getPublicKey().toString('base64url'),
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  key: 'k',
});
const item = {
  address,
  id: '5b0f6f2e-7c1d-4e9a-8a34-000000000001',
  title: 'Bought AAA',
  message: 'Calm Trend: bought 3 AAA at $100.',
  path: '/deployments/1',
};

function sending(answer: WebhookOutcome, posts: WebhookPost[] = []) {
  return webPush({
    post: {
      async send(post) {
        posts.push(post);
        return answer;
      },
    },
    findKey: async (id) => (id === 'k' ? key : null),
    contact: 'mailto:help@example.com',
    now: () => 1_767_625_200_000,
  });
}

test.each([
  [answered(201), { outcome: 'taken' }],
  [answered(404), { outcome: 'gone' }],
  [answered(410), { outcome: 'gone' }],
  [answered(429, 120), { outcome: 'later', code: 'busy', afterSeconds: 120 }],
  [answered(429), { outcome: 'later', code: 'busy', afterSeconds: null }],
  [answered(503), { outcome: 'later', code: 'unwell', afterSeconds: null }],
  [answered(302), { outcome: 'refused', status: 302 }],
  [answered(400), { outcome: 'refused', status: 400 }],
  [answered(413), { outcome: 'refused', status: 413 }],
  [
    { outcome: 'failed', code: 'late' },
    { outcome: 'later', code: 'late', afterSeconds: null },
  ],
  [
    { outcome: 'failed', code: 'forbidden_address' },
    { outcome: 'refused', status: 0 },
  ],
] as const)('%j is %j', async (answer, outcome) => {
  expect(await sending(answer).send(item)).toEqual(outcome);
});

test('a browser whose key was removed is gone, and nothing is posted', async () => {
  const posts: WebhookPost[] = [];
  const other = address.replace('"k"', '"former"');
  expect(await sending(answered(201), posts).send({ ...item, address: other })).toEqual({ outcome: 'gone' });
  expect(posts).toEqual([]);
});

test('two attempts of one item have one topic, and nothing of it can be read on the way', async () => {
  const posts: WebhookPost[] = [];
  const channel = sending(answered(201), posts);
  await channel.send(item);
  await channel.send(item);
  const [first, second] = posts as [WebhookPost, WebhookPost];
  expect(first.headers['topic']).toBe(second.headers['topic']);
  expect(first.headers['topic']).toMatch(/^[\w-]{1,32}$/);
  expect(first.body).not.toEqual(second.body);
  expect(Buffer.from(first.body).includes('Calm')).toBe(false);
});
