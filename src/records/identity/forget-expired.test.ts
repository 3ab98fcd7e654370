import { expect, test } from 'vitest';
import { testApp } from '#tests/support/test-app.ts';
import { passkeyPerson } from '#tests/support/software-passkey.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import { forgetExpired, KEPT_DAYS } from './forget-expired.ts';

const app = await testApp();
const { records, request, world } = app;
const rows = async (userId: string) => {
  const { rows: found } = await records.pool.query<Record<string, number>>(
    `select (select count(*)::int from sessions where user_id = $1) as sessions,
       (select count(*)::int from refresh_tokens r join sessions s on s.id = r.session_id where s.user_id = $1) as tokens,
       (select count(*)::int from password_resets where user_id = $1) as resets,
       (select count(*)::int from email_verifications where user_id = $1) as verifications,
       (select count(*)::int from passkey_challenges where user_id = $1) as challenges,
       (select count(*)::int from idempotency_keys where user_id = $1) as answers`,
    [userId],
  );
  return found[0]!;
};
const after = (days: number) => forgetExpired(records.database, (world.now + days * DAY_MS) as Instant);

test('what signs nobody in any more goes after its days, and not before', async () => {
  const { id, token } = await passkeyPerson(app);
  await request({ method: 'POST', url: '/api/auth/passkeys/challenge/', token });
  const made = [id, new Date(world.now), new Date(world.now + DAY_MS)];
  await records.pool.query(
    "insert into password_resets (token_hash, user_id, created_at, expires_at) values ('r', $1, $2, $3)",
    made,
  );
  await records.pool.query(
    "insert into email_verifications (token_hash, user_id, created_at, expires_at) values ('v', $1, $2, $3)",
    made,
  );
  await records.pool.query(
    "insert into idempotency_keys (user_id, key, endpoint, request_hash, created_at) values ($1, 'k', 'e', 'h', $2)",
    made.slice(0, 2),
  );
  const all = { sessions: 1, tokens: 1, resets: 1, verifications: 1, challenges: 1, answers: 1 };
  expect(await rows(id)).toMatchObject(all);
  await after(0);
  expect(await rows(id)).toMatchObject(all);
  await after(1);
  expect(await rows(id)).toMatchObject({ ...all, challenges: 0 });
  await after(KEPT_DAYS.link + 2);
  expect(await rows(id)).toMatchObject({ resets: 0, verifications: 0, sessions: 1, tokens: 1, answers: 1 });
  await after(KEPT_DAYS.answer + 1);
  expect(await rows(id)).toMatchObject({ answers: 0, sessions: 1, tokens: 0 });
  await after(KEPT_DAYS.session + 8);
  expect(await rows(id)).toMatchObject({ sessions: 0 });
});

test('a session that goes on is never forgotten', async () => {
  const { id } = await signedInPerson(app);
  await records.pool.query("update sessions set expires_at = 'infinity' where user_id = $1", [id]);
  await after(400);
  expect((await rows(id)).sessions).toBe(1);
});
