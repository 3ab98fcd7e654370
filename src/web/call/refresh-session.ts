import { ROUTES } from '#contract/route.ts';
import type { Answer } from '#contract/endpoint.ts';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import { keepTokens, readAccessToken, readRefreshToken } from './tokens.ts';

const LOCK = 'refresh-session';

/**
 * A fresh access token in place of a refused one, or null when the session is over. Only one window and one call
 * refreshes at a time; whoever waited finds the new token and spends nothing.
 */
export async function refreshSession(refused: string): Promise<string | null> {
  return oneAtATime(async () => {
    const present = readAccessToken();
    if (present !== null && present !== refused) return present;
    const refresh = readRefreshToken();
    if (refresh === null) return null;
    const response = await fetch(ROUTES.refreshToken.path, {
      method: ROUTES.refreshToken.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh }),
    });
    if (response.status === 401 || response.status === 400) return null;
    if (!response.ok) throw new TypeError(`refresh answered ${response.status}`);
    const answer = (await response.json()) as Answer<EveryEndpoint['refreshToken']>;
    keepTokens({ access: answer.access, refresh: answer.refresh });
    return answer.access;
  });
}

let running: Promise<string | null> | null = null;

/** Across windows where the browser has locks (it has none on plain http beyond localhost), else in this one. */
async function oneAtATime(work: () => Promise<string | null>): Promise<string | null> {
  if ('locks' in navigator) return navigator.locks.request(LOCK, work);
  running ??= work().finally(() => {
    running = null;
  });
  return running;
}
