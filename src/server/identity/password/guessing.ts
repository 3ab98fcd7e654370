import { setTimeout as sleep } from 'node:timers/promises';
import { type Guess, giveBackGuess, type GuessLimits, reserveGuess } from '#records/identity/guess-limits.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { isRefused, refuse, type Refused } from '../../http/refusal.ts';

/**
 * A guess that is counted before it is checked: `check` says whether it was right. A right one is given back. Refuses when no guess
 * is left. A stranger shares the guesses of all strangers; a known device has its own, so that nobody else spends them.
 */
export async function guessing<Right>(
  guess: Guess,
  dependencies: Dependencies,
  check: () => Promise<Right | Refused>,
): Promise<Right | Refused> {
  const limits = limitsOf(dependencies);
  const wait = await reserveSoon(guess, dependencies, limits);
  if (wait !== null) return tooManyGuesses(wait);
  const outcome = await check();
  if (!isRefused(outcome)) await giveBackGuess(dependencies.records.pool, guess, limits);
  return outcome;
}

/** What is guessed when someone signs in or changes the password. `email` in lower case. */
export const passwordOf = (email: string): Guess['secret'] => `password:${email}`;

/** Right guesses are given back within moments: several sign-ins at once wait for each other. */
const WAITS_MS = [50, 100, 200, 400, 800];

async function reserveSoon(
  guess: Guess,
  { records, now }: Dependencies,
  limits: GuessLimits,
): Promise<number | null> {
  for (const pause of WAITS_MS) {
    const wait = await reserveGuess(records.pool, guess, { at: now(), limits });
    if (wait === null) return null;
    await sleep(pause);
  }
  return reserveGuess(records.pool, guess, { at: now(), limits });
}

function limitsOf({ config }: Dependencies): GuessLimits {
  const { wrongPasswordsPerMinute: perMinute, wrongPasswordsPerDay: perDay } = config.limits;
  return { perMinute, perDay };
}

function tooManyGuesses(waitMs: number): Refused {
  const seconds = Math.max(1, Math.ceil(waitMs / SECOND_MS));
  return refuse('too_many_requests', `Too many wrong attempts. Please try again in ${inWords(seconds)}.`, {
    retryAfterSeconds: seconds,
  });
}

function inWords(seconds: number): string {
  const ms = seconds * SECOND_MS;
  if (ms <= 2 * MINUTE_MS) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  if (ms <= 2 * HOUR_MS) return `${Math.ceil(ms / MINUTE_MS)} minutes`;
  return `${Math.ceil(ms / HOUR_MS)} hours`;
}
