// The states of a connection to a broker as its owner sees them. Promises for each what it means for the money and what
// there is to do.

import type { BrokerSessionState } from '#engine/execution/connection/session-state.ts';

type SessionText = {
  readonly title: string;
  /** What it means for trading and for what is held. */
  readonly meaning: string;
  /** What the person can do; null when there is nothing to do but wait. */
  readonly nextStep: string | null;
};

export function sessionText(state: BrokerSessionState, brokerName: string): SessionText {
  switch (state) {
    case 'connected':
      return { title: 'Connected', meaning: 'Orders are sent and figures are current.', nextStep: null };
    case 'sign_in_due':
      return {
        title: 'Sign-in required',
        meaning: `${brokerName} needs you to sign in again. Until then we send no orders, and the stop losses that we monitor do not trigger. Your positions stay open.`,
        nextStep: `Connect ${brokerName} again.`,
      };
    case 'reset_window':
      return {
        title: 'Nightly reset',
        meaning: `${brokerName} is restarting its systems. Trading resumes automatically once it is back and everything is reconciled.`,
        nextStep: null,
      };
    case 'paced':
      return {
        title: 'Waiting its turn',
        meaning: `${brokerName} limits how often we may ask. Orders, including stop losses, wait until we may ask again; then trading resumes automatically. Stops at ${brokerName} keep working.`,
        nextStep: null,
      };
    case 'degraded':
      return {
        title: 'Degraded',
        meaning: `${brokerName} is returning incomplete answers. We send no orders, including stop losses, until we can read orders and positions in full; then trading resumes automatically.`,
        nextStep: null,
      };
    case 'competing':
      return {
        title: 'Signed in elsewhere',
        meaning: `You are signed in to ${brokerName} somewhere else, and that session controls trading. We send no orders, including stop losses.`,
        nextStep: `Sign out of ${brokerName} everywhere else.`,
      };
    case 'lost':
      return {
        title: 'Not responding',
        meaning: `${brokerName} is not responding. We send no orders, including stop losses, until it does; then trading resumes automatically. Your positions stay open.`,
        nextStep: null,
      };
    case 'read_only':
      return {
        title: 'Read-only',
        meaning: `We can read your account at ${brokerName} but not trade in it. We send no orders, including stop losses.`,
        nextStep: `Allow trading for this connection at ${brokerName}, then connect it again.`,
      };
    default:
      return state satisfies never;
  }
}
