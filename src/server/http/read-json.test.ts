import { expect, test } from 'vitest';
import { testApp } from '#tests/support/test-app.ts';

const { request } = await testApp();

test.each(['a\u0000b', 'a\ud800b', '\udc00', '\ud800\ud800\udc00'])(
  'a character that the database cannot store is refused, not an internal error: %j',
  async (first_name) => {
    const body = {
      email: 'null@example.test',
      password: 'long enough',
      confirm_password: 'long enough',
      first_name,
    };
    expect(await request({ method: 'POST', url: '/api/auth/register/', body })).toMatchObject({
      status: 400,
      body: { code: 'malformed_request' },
    });
  },
);

test('a whole character beyond the first 65,536, and the spelling of an escape, are texts like any other', async () => {
  for (const first_name of ['Ada 🦘', String.raw`a\ud800b`]) {
    const email = `whole-${first_name.length}@example.test`;
    const body = { email, password: 'copper-lantern-41', confirm_password: 'copper-lantern-41', first_name };
    const { body: answer } = await request({ method: 'POST', url: '/api/auth/register/', body });
    expect(answer.code).not.toBe('malformed_request');
  }
});
