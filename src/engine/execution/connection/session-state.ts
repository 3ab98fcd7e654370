/** The states of a connection to a broker as its owner sees them. */
export const SESSION_STATES = [
  'connected',
  'sign_in_due',
  'reset_window',
  'paced',
  'degraded',
  'competing',
  'lost',
  'read_only',
] as const;
export type BrokerSessionState = (typeof SESSION_STATES)[number];
