import { REFRESH_TOKEN } from '#contract/http/route.ts';
import type { Answer } from '#contract/http/endpoint.ts';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import { CallError } from './call-error.ts';
import { inTime } from './in-time.ts';
import { keepTokens, readAccessToken, readRefreshToken } from './tokens.ts';

const LOCK = 'refresh-session';
/**
 * For ten seconds a spent refresh token gets the same answer again; later it ends the session. So an answer that was
 * lost is asked for again before that, and the lock is never held for long.
 */
const ANSWER_WITHIN_MS = 7_000;

/**
 * A fresh access token in place of a refused one, or null when the session is over. Only one window and one call
 * refreshes at a time; those that waited find the new token and send nothing. `signal` cancels the waiting, never a
 * refresh in progress: all callers share its answer.
 */
export async function refreshSession(refused: string, signal?: AbortSignal): Promise<string | null> {
  return oneAtATime(signal, async () => {
    const present = readAccessToken();
    if (present !== null && present !== refused) return present;
    const refresh = readRefreshToken();
    if (refresh === null) return null;
    const ask = () => inTime({ ms: ANSWER_WITHIN_MS }, (asked) => askForTokens(refresh, asked));
    const answer = await ask().catch((error: unknown) => {
      if (error instanceof CallError) return ask();
      throw error;
    });
    if (answer === null) return null;
    keepTokens({ access: answer.access, refresh: answer.refresh });
    return answer.access;
  });
}

/** Null: the service ended the session. */
async function askForTokens(
  refresh: string,
  signal: AbortSignal,
): Promise<Answer<EveryEndpoint['refreshToken']> | null> {
  const { method, path } = REFRESH_TOKEN;
  const response = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh }),
    signal,
  });
  if (response.status === 401 || response.status === 400) return null;
  if (!response.ok) throw new TypeError(`refresh answered ${response.status}`);
  return (await response.json()) as Answer<EveryEndpoint['refreshToken']>;
}

let running: Promise<string | null> | null = null;

/** Across windows where the browser has locks (it has none on plain http beyond localhost), else in this one. */
async function oneAtATime(
  signal: AbortSignal | undefined,
  work: () => Promise<string | null>,
): Promise<string | null> {
  if ('locks' in navigator) return navigator.locks.request(LOCK, { signal }, work);
  running ??= work().finally(() => {
    running = null;
  });
  return running;
}
