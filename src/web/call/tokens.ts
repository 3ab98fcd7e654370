// The two tokens of a session, in local storage under the names that the specification gives (section 4).
import { forgetEarlyAnswers } from './early-answer.ts';

const ACCESS = 'token';
const REFRESH = 'refreshToken';

const listeners = new Set<(isEnd: boolean) => void>();
let ended = 0;

/**
 * Another number for each session of this browser, null without one. Another person may have signed in in another window
 * before this one hears that the last one signed out.
 */
export function sessionNumber(): number | null {
  return readAccessToken() === null ? null : ended;
}

export function readAccessToken(): string | null {
  return localStorage.getItem(ACCESS);
}

export function readRefreshToken(): string | null {
  return localStorage.getItem(REFRESH);
}

export function keepTokens(tokens: { access: string; refresh: string }): void {
  localStorage.setItem(ACCESS, tokens.access);
  localStorage.setItem(REFRESH, tokens.refresh);
  tell(false);
}

export function clearTokens(): void {
  localStorage.removeItem(ACCESS);
  localStorage.removeItem(REFRESH);
  tell(true);
}

/** Reports every change, also from other windows, and whether it ended the session. */
export function watchTokens(listener: (isEnd: boolean) => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', onStorage);
  };
}

function onStorage(event: StorageEvent): void {
  if (event.key === ACCESS || event.key === null) tell(event.newValue === null);
}

function tell(isEnd: boolean): void {
  if (isEnd) {
    ended += 1;
    forgetEarlyAnswers();
  }
  for (const listener of listeners) listener(isEnd);
}
