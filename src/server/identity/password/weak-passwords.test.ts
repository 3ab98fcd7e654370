import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newResetToken } from '#records/identity/reset-token.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { MINUTE_MS } from '#units/instant.ts';

const app = await testApp();
const { request, world } = app;

const COMMONEST =
  'password 12345678 123456789 1234567890 qwertyuiop password1 iloveyou sunshine princess football baseball 11111111 1q2w3e4r abcd1234 qwerty123';

test.each(COMMONEST.split(' '))('the common password %s is refused, with what would do', async (password) => {
  const email = `${randomUUID()}@example.test`;
  const body = { email, password, confirm_password: password, first_name: 'Ada' };
  expect(await request({ method: 'POST', url: '/api/auth/register/', body })).toMatchObject({
    status: 422,
    body: { code: 'weak_password', field: 'password', message: expect.stringContaining('hard to guess') },
  });
});

test('staff who change or reset their password need twelve characters', async () => {
  const { id, token } = await signedInPerson(app);
  await app.records.pool.query(`update users set role = 'support' where id = $1`, [id]);
  const url = '/api/auth/password/change/';
  const change = (new_password: string) =>
    request({ method: 'POST', url, token, body: { old_password: PASSWORD, new_password } });
  expect(await change('eleven figs')).toMatchObject({ status: 422, body: { code: 'weak_password' } });
  const { token: reset, hash } = newResetToken();
  await app.records.pool.query(
    `insert into password_resets (token_hash, user_id, created_at, expires_at) values ($1, $2, now(), $3)`,
    [hash, id, new Date(world.now + MINUTE_MS)],
  );
  const confirm = (password: string) =>
    request({
      method: 'POST',
      url: '/api/auth/password/reset/confirm/',
      body: { token: reset, new_password: password, confirm_new_password: password },
    });
  expect(await confirm('eleven figs')).toMatchObject({
    status: 422,
    body: { code: 'weak_password', field: 'new_password' },
  });
  expect((await change('a dozen figs now')).status).toBe(204);
});
