// Guesses at a secret, counted in the database for all processes together.
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { DAY_MS, type Instant, isoText, MINUTE_MS, parseInstant } from '#units/instant.ts';
import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';

export type Guess = {
  /** What is guessed, such as `password:ada@example.test`. */
  readonly secret: string;
  /** A known device or session; null: everybody else, counted together. */
  readonly guesser: string | null;
};

export type GuessLimits = { readonly perMinute: number; readonly perDay: number };

/**
 * Counts a guess before it is checked, if one is left: of many at once no more get through. Returns null, or how many
 * milliseconds until one is left again. Rows whose guesses are all left again go a few at a time, so that the table stays small.
 */
export async function reserveGuess(
  pool: Pool,
  guess: Guess,
  { at, limits }: { readonly at: Instant; readonly limits: GuessLimits },
): Promise<number | null> {
  const key = keyOf(guess);
  const spacing = spacingOf(limits);
  const { rowCount } = await pool.query(
    `with over as (
       select secret, guesser from guess_limits
       where day_free_at < $3 and minute_free_at < $3 and (secret, guesser) <> ($1, $2)
       limit 10 for update skip locked
     ), dropped as (
       delete from guess_limits g using over where g.secret = over.secret and g.guesser = over.guesser
     )
     insert into guess_limits as g (secret, guesser, minute_free_at, day_free_at)
     values ($1, $2, $3::timestamptz + $4 * interval '1 ms', $3::timestamptz + $5 * interval '1 ms')
     on conflict (secret, guesser) do update set
       minute_free_at = greatest(g.minute_free_at, $3) + $4 * interval '1 ms',
       day_free_at = greatest(g.day_free_at, $3) + $5 * interval '1 ms'
     where greatest(g.minute_free_at, $3) + $4 * interval '1 ms' <= $3::timestamptz + interval '1 minute'
       and greatest(g.day_free_at, $3) + $5 * interval '1 ms' <= $3::timestamptz + interval '1 day'`,
    [key.secret, key.guesser, isoText(at), spacing.minuteMs, spacing.dayMs],
  );
  if (rowCount === 1) return null;
  const { rows } = await pool.query<{ minute_free_at: Date; day_free_at: Date }>(
    'select minute_free_at, day_free_at from guess_limits where secret = $1 and guesser = $2',
    [key.secret, key.guesser],
  );
  const [row] = rows;
  if (row === undefined) return 0;
  const ofMinute = parseInstant(row.minute_free_at) + spacing.minuteMs - MINUTE_MS - at;
  const ofDay = parseInstant(row.day_free_at) + spacing.dayMs - DAY_MS - at;
  return Math.max(0, ofMinute, ofDay);
}

/** The guess was right, or was none. */
export async function giveBackGuess(pool: Pool, guess: Guess, limits: GuessLimits): Promise<void> {
  const key = keyOf(guess);
  const spacing = spacingOf(limits);
  await pool.query(
    `update guess_limits set minute_free_at = minute_free_at - $3 * interval '1 ms',
       day_free_at = day_free_at - $4 * interval '1 ms' where secret = $1 and guesser = $2`,
    [key.secret, key.guesser, spacing.minuteMs, spacing.dayMs],
  );
}

/** The secret is a new one: earlier guesses say nothing about it. */
export async function clearGuesses(database: Database, secret: Guess['secret']): Promise<void> {
  await sql`delete from guess_limits where secret = ${hashOf(secret)}`.execute(database);
}

function spacingOf({ perMinute, perDay }: GuessLimits) {
  return { minuteMs: Math.floor(MINUTE_MS / perMinute), dayMs: Math.floor(DAY_MS / perDay) };
}

function keyOf({ secret, guesser }: Guess) {
  return { secret: hashOf(secret), guesser: guesser === null ? Buffer.alloc(0) : hashOf(guesser) };
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
