// The states of a connection to a broker as its owner sees them. Promises for each what it means for the money and what
// there is to do.

export const SESSION_STATES = [
  'connected',
  'sign_in_due',
  'reset_window',
  'degraded',
  'competing',
  'lost',
  'read_only',
] as const;
export type BrokerSessionState = (typeof SESSION_STATES)[number];

export type SessionText = {
  readonly title: string;
  /** What it means for trading and for what is held. */
  readonly meaning: string;
  /** What the person can do; null when there is nothing to do but wait. */
  readonly nextStep: string | null;
};

export function sessionText(state: BrokerSessionState, brokerName: string): SessionText {
  switch (state) {
    case 'connected':
      return { title: 'Connected', meaning: 'Orders and figures go through.', nextStep: null };
    case 'sign_in_due':
      return {
        title: 'Sign-in due',
        meaning: `${brokerName} asks for a new sign-in. Nothing is sent until then; what you hold stays as it is, and stop losses that we watch cannot act.`,
        nextStep: `Connect ${brokerName} again.`,
      };
    case 'reset_window':
      return {
        title: 'Nightly reset',
        meaning: `${brokerName} restarts its systems. Nothing is sent until it is back and everything has been compared; then it goes on by itself.`,
        nextStep: null,
      };
    case 'degraded':
      return {
        title: 'Disturbed',
        meaning: `${brokerName} answers, but not as it should. Nothing is sent, stop losses included, until orders and positions can be read in full; then it goes on by itself.`,
        nextStep: null,
      };
    case 'competing':
      return {
        title: 'Signed in elsewhere',
        meaning: `You are signed in to ${brokerName} in another place, which holds the trading session. Nothing is sent from here, stop losses included.`,
        nextStep: `Sign out of ${brokerName} everywhere else.`,
      };
    case 'lost':
      return {
        title: 'No answer',
        meaning: `${brokerName} does not answer. What you hold stays as it is; nothing is concluded and nothing is sent, stop losses included, until it answers; then it goes on by itself.`,
        nextStep: null,
      };
    case 'read_only':
      return {
        title: 'Read only',
        meaning: `Your account at ${brokerName} can be read but not traded from here: nothing is sent, stop losses included.`,
        nextStep: `Allow trading for this connection at ${brokerName}, then connect it again.`,
      };
    default:
      return state satisfies never;
  }
}
