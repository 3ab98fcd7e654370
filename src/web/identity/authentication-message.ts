import { CallError } from '../call/call-error.ts';

/** What to say when signing in or registering failed, and at which field. */
export function authenticationMessage(error: unknown): { field: string | null; message: string } {
  if (!(error instanceof CallError)) return { field: null, message: AUTHENTICATION_FAILED };
  if (error.code === 'email_taken') return { field: 'email', message: error.message };
  if (error.field !== undefined) return { field: error.field, message: error.message };
  const isKnown = error.status === 0 || error.status === 429 || error.status >= 500;
  return { field: null, message: isKnown ? error.message : AUTHENTICATION_FAILED };
}

const AUTHENTICATION_FAILED = 'Authentication failed. Please try again.';
