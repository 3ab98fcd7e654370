import { afterAll, expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { testApp } from '#tests/support/test-app.ts';

const app = await testApp();
const { config } = app.dependencies;
const secure = await createApp({
  ...app.dependencies,
  config: { ...config, publicUrl: 'https://invest.example.test' },
});
afterAll(() => secure.close());

/** An answer, a refusal, a page, a style sheet, a text, and what is not there. */
const ADDRESSES = [
  '/api/health/',
  '/api/auth/me/',
  '/api/docs/',
  '/api/docs/reader.css',
  '/api/metrics',
  '/api/no-such-call/',
  '/no-such-file.txt',
];

/** JSON, with fewer and shorter headers. */
const DATA = new Set(['/api/health/', '/api/auth/me/']);

test.each(ADDRESSES)(
  '%s loads nothing, is not sniffed, framed or referred to, and says its character set',
  async (url) => {
    const { headers } = await secure.inject({ url });
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const policy = String(headers['content-security-policy']).split(';');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    if (DATA.has(url)) {
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'none'");
      // Nothing is allowed again that default-src forbids.
      expect(policy.filter((one) => one.includes('-src'))).toEqual(["default-src 'none'"]);
    } else
      for (const directive of [
        "object-src 'none'",
        "frame-ancestors 'self'",
        "require-trusted-types-for 'script'",
      ])
        expect(policy).toContain(directive);
    expect(headers['content-type']).toMatch(/; charset=utf-8$/);
    if (url.startsWith('/api/') && !url.startsWith('/api/docs/'))
      expect(headers['cache-control']).toBe('no-store');
  },
);

test('without https nothing is promised of it', async () => {
  const { headers } = await app.app.inject({ url: '/api/health/' });
  expect(headers['strict-transport-security']).toBeUndefined();
});

test('a request that asks to be echoed is refused', async () => {
  const { statusCode, body } = await secure.inject({
    method: 'TRACE' as 'GET',
    url: '/api/auth/me/',
    headers: { authorization: 'Bearer secret' },
  });
  expect(statusCode).toBeGreaterThanOrEqual(400);
  expect(body).not.toContain('secret');
});
