import { refreshSession } from './refresh-session.ts';
import { readAccessToken } from './tokens.ts';

/** The access token of this session for a worker, which cannot renew one: it lasts a minute or more. Null for a visitor. */
export async function lastingToken(): Promise<string | null> {
  const token = readAccessToken();
  return token === null || runsOutAt(token) > Date.now() + LASTS_MS ? token : refreshSession(token);
}

const LASTS_MS = 60_000;

/** 0 for what is no token of ours. */
function runsOutAt(token: string): number {
  try {
    const claims = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    return Number((JSON.parse(atob(claims)) as { readonly exp: number }).exp) * 1000;
  } catch {
    return 0;
  }
}
