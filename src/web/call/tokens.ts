// The two tokens of a session, in local storage under the names that the specification gives (section 4).

const ACCESS = 'token';
const REFRESH = 'refreshToken';

const listeners = new Set<() => void>();

export function readAccessToken(): string | null {
  return localStorage.getItem(ACCESS);
}

export function readRefreshToken(): string | null {
  return localStorage.getItem(REFRESH);
}

export function keepTokens(tokens: { access: string; refresh: string }): void {
  localStorage.setItem(ACCESS, tokens.access);
  localStorage.setItem(REFRESH, tokens.refresh);
  tell();
}

export function clearTokens(): void {
  localStorage.removeItem(ACCESS);
  localStorage.removeItem(REFRESH);
  tell();
}

/** Tells of every change, those made in other windows too. */
export function watchTokens(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', onStorage);
  };
}

function onStorage(event: StorageEvent): void {
  if (event.key === ACCESS || event.key === null) tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}
