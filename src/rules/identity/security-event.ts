// What can happen to the sign-in of a person, and the words for it.

const WORDS = {
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed: wrong password',
  code_failed: 'Sign-in failed: wrong code',
  guesses_limited: 'Sign-ins held back: too many wrong attempts',
  password_changed: 'Password changed',
  password_reset: 'Password reset with a mailed link',
  session_ended: 'A session was signed out',
  other_sessions_ended: 'All other sessions were signed out',
  two_factor_on: 'Two-factor sign-in turned on',
  two_factor_off: 'Two-factor sign-in turned off',
  became_staff: 'Became staff with a mailed link',
  backup_codes_replaced: 'Backup codes replaced',
} as const;

export type SecurityEventKind = keyof typeof WORDS;

export function securityEventText(kind: SecurityEventKind): string {
  return WORDS[kind];
}
