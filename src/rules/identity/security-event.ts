// What can happen to the sign-in of a person, and the words for it.

const WORDS = {
  signed_in: 'Signed in',
  signed_out: 'Signed out',
  sign_in_failed: 'Sign-in failed: wrong password',
  code_failed: 'Sign-in failed: wrong code',
  guesses_limited: 'Sign-ins held back: too many wrong attempts',
  password_changed: 'Password changed',
  password_reset: 'Password reset with a mailed link',
  session_ended: 'A session was signed out',
  other_sessions_ended: 'All other sessions were signed out',
  sessions_ended_by_support: 'Support signed out all your sessions',
  two_factor_on: 'Authenticator app turned on',
  two_factor_off: 'Authenticator app turned off',
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  passkey_failed: 'Sign-in failed: passkey not accepted',
  passkey_copied: 'A passkey was refused: somebody may have a copy of it. Remove it',
  api_key_created: 'An API key was created',
  api_key_revoked: 'An API key was revoked',
  webhook_added: 'A webhook was added',
  browser_added: 'A browser was added that gets your news',
  telegram_linked: 'A Telegram chat was linked',
  became_staff: 'Became staff with a mailed link',
  backup_codes_replaced: 'Backup codes replaced',
} as const;

export type SecurityEventKind = keyof typeof WORDS;

export function securityEventText(kind: SecurityEventKind): string {
  return WORDS[kind];
}
