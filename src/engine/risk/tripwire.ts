// What happens once live daily returns have proved worse than the published ones: its owner's choice, made beforehand.

/** green: nothing speaks against it. amber: in doubt. red: worse, until its owner has looked at it. */
export const TRIPWIRE_STATES = ['green', 'amber', 'red'] as const;
export type TripwireState = (typeof TRIPWIRE_STATES)[number];

/** notify: trading goes on. exits_only: nothing new is opened. halve: the strategy gets half of what it asks for. */
export const TRIPWIRE_CHOICES = ['notify', 'exits_only', 'halve'] as const;
export type TripwireChoice = (typeof TRIPWIRE_CHOICES)[number];

/** What limits trading now; null when nothing does. */
export type TripwireReaction = Exclude<TripwireChoice, 'notify'>;

export function tripwireReaction(state: TripwireState, choice: TripwireChoice): TripwireReaction | null {
  return state === 'red' && choice !== 'notify' ? choice : null;
}

/** The weight that the reaction leaves. */
export function halvedWeight(weight: number, reaction: TripwireReaction | undefined): number {
  return reaction === 'halve' ? weight / 2 : weight;
}
