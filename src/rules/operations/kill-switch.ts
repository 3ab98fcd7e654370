// What a kill switch of staff halts, and what it does to what is under way. Promises for each case the sentence that is
// read before it is turned on.

export const KILL_SWITCH_SCOPES = ['global', 'broker', 'strategy', 'client'] as const;
export type KillSwitchScope = (typeof KILL_SWITCH_SCOPES)[number];

/** Who or what is halted, in words: 'everybody', 'Interactive Brokers', 'the strategy Calm Trend', 'ada@example.test'. */
export function haltedName(scope: KillSwitchScope, name: string): string {
  if (scope === 'global') return 'everybody';
  return scope === 'strategy' ? `the strategy ${name}` : name;
}

export type HaltEffect = {
  /** What has not left for the broker. */
  readonly waiting: string;
  /** What works at the broker. */
  readonly working: string;
  /** What rests at the broker behind stop losses, and what watches these. */
  readonly stops: string;
};

export function haltEffect({ cancelsWorking }: { readonly cancelsWorking: boolean }): HaltEffect {
  return {
    waiting:
      'No order leaves later than a second after the answer: no purchase, no exit, no stop loss. What waits is kept, and looked at anew once the switch is lifted.',
    working: cancelsWorking
      ? 'Orders that work at a broker are cancelled there. What a broker fills before its cancellation arrives is booked.'
      : 'Orders that work at a broker stay there and may still be filled.',
    stops: cancelsWorking
      ? 'Protective stops that rest at a broker are cancelled too: until the switch is lifted nothing guards these positions.'
      : 'Protective stops that rest at a broker stay and still act. No new one is placed, and the closer stop losses that we watch ourselves cannot act.',
  };
}
