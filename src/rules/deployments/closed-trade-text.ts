import type { TripEnd } from '#engine/portfolio/round-trips.ts';

export const CLOSED_BY = [
  'order',
  'expiry',
  'exercise',
  'assignment',
  'coin_fee',
  'adjustment',
] as const satisfies readonly TripEnd[];

/** What closed a position, where it was not an order: a sentence. */
export const CLOSED_BY_TEXT: Readonly<Record<TripEnd, string>> = {
  order: '',
  expiry: 'The contract expired.',
  exercise: 'The option was exercised.',
  assignment: 'The option was assigned.',
  coin_fee: 'The broker kept the rest as its fee.',
  adjustment: 'The books were adjusted.',
};
