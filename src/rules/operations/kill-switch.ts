// What a kill switch of staff halts, and what it does to what is under way. Promises for each case the sentence that is
// read before it is turned on.

export const KILL_SWITCH_SCOPES = ['global', 'broker', 'strategy', 'client', 'deployment'] as const;
export type KillSwitchScope = (typeof KILL_SWITCH_SCOPES)[number];

/** Who or what is halted, in words: 'everyone', 'Interactive Brokers', 'the strategy Calm Trend', 'the deployment
 * Calm Trend in DU100', 'ada@example.test'. */
export function haltedName(scope: KillSwitchScope, name: string): string {
  if (scope === 'global') return 'everyone';
  return scope === 'strategy' || scope === 'deployment' ? `the ${scope} ${name}` : name;
}

export type HaltEffect = {
  /** What has not left for the broker. */
  readonly waiting: string;
  /** What works at the broker. */
  readonly working: string;
  /** The stops that work at the broker behind stop losses, and the monitoring of the stop losses. */
  readonly stops: string;
};

export function haltEffect({ cancelsWorking }: { readonly cancelsWorking: boolean }): HaltEffect {
  return {
    waiting:
      'Within a second we stop sending all orders, including exits and stop losses. Orders on hold are kept and checked again when the halt is lifted.',
    working: cancelsWorking
      ? 'Open orders at the broker are cancelled. Fills that arrive before the cancellation are booked.'
      : 'Open orders stay at the broker and may still fill.',
    stops: cancelsWorking
      ? 'Protective stops are cancelled too: until the halt is lifted, no stop protects these positions.'
      : 'Protective stops already at the broker still work. We place no new ones, and the closer stop losses that we monitor do not trigger.',
  };
}
