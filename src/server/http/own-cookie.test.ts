import fastify from 'fastify';
import { expect, test } from 'vitest';
import { findOwnCookie, setOwnCookie } from './own-cookie.ts';

async function ask(address: string, cookie: string | null = null) {
  const app = fastify();
  app.get('/', (request, reply) => {
    setOwnCookie(reply, { name: 'device', value: 'abc', seconds: 60, sameSite: 'Strict' }, address);
    return { found: findOwnCookie(request, 'device', address) };
  });
  const answer = await app.inject({ url: '/', ...(cookie !== null && { headers: { cookie } }) });
  return {
    set: String(answer.headers['set-cookie']),
    found: (answer.json() as { found: string | null }).found,
  };
}

test('with https a cookie is of this host alone, secure, and out of reach of scripts', async () => {
  const { set } = await ask('https://invest.example.test');
  expect(set).toBe('__Host-device=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure');
  expect((await ask('https://invest.example.test', 'theme=dark; __Host-device=abc')).found).toBe('abc');
  expect(
    (await ask('https://invest.example.test', 'device=abc')).found,
    'a neighbour could set it',
  ).toBeNull();
});

test('without https browsers take no prefix', async () => {
  expect((await ask('http://localhost:4000')).set).toMatch(/^device=abc; (?!.*Secure)/);
  expect((await ask('http://localhost:4000', 'device=xyz')).found).toBe('xyz');
});
