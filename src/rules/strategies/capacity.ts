// How much money a strategy takes in all, and in words why. A provider may set less than what is estimated, never more.
import {
  type CapacityEstimate,
  COST_ALLOWED,
  EATEN_MAX,
  type EstimatedCapacity,
  VOLUME_SHARE,
} from '#engine/capacity/estimate-capacity.ts';
import { isTooMuch, type Room } from '#engine/capacity/admit.ts';
import { type Micro, subtract, toMicro } from '#units/money.ts';
import { dollars } from '../dollars.ts';

/** What binds: null where nothing does. */
export function capacityOf(estimate: CapacityEstimate, ownLimit: Micro | null): Micro | null {
  const estimated = estimate.kind === 'estimated' ? toMicro(estimate.amount) : null;
  if (estimated === null) return ownLimit;
  return ownLimit !== null && ownLimit < estimated ? ownLimit : estimated;
}

/** Why the provider may not set this limit; null where it may. */
export function ownLimitProblem(limit: Micro | null, estimate: CapacityEstimate): string | null {
  if (limit === null || estimate.kind === 'unknown' || limit <= toMicro(estimate.amount)) return null;
  return `It is estimated to take ${dollars(toMicro(estimate.amount))}: enter that or less.`;
}

/** What the amount is made from, for anyone who thinks of putting money in. */
export function capacityNote(estimate: CapacityEstimate, ownLimit: Micro | null): string {
  const limit = ownLimit === null ? '' : ` Its provider takes no more than ${dollars(ownLimit)}.`;
  return (estimate.kind === 'estimated' ? estimatedNote(estimate) : UNKNOWN[estimate.why]) + limit;
}

function estimatedNote({ amount, low, high, bound }: EstimatedCapacity): string {
  const about = dollars(toMicro(amount));
  const range = `The estimate may be as low as ${dollars(toMicro(low))} or as high as ${dollars(toMicro(high))}.`;
  return bound === 'impact'
    ? `With more than about ${about}, its own orders would move prices too far: that would cost more than ${percent(EATEN_MAX)} of what it earns, and more than ${percent(COST_ALLOWED)} a year. ${range}`
    : `With more than about ${about}, its orders would be more than ${percent(VOLUME_SHARE)} of what is traded. ${range}`;
}

const percent = (fraction: number) => `${Math.round(fraction * 100)}%`;

const UNKNOWN = {
  no_volume: 'How much money it can take is not known: not all of its markets report their volume.',
  too_few_orders: 'How much money it can take is not known: it has traded too little to tell.',
} as const;

type QueuePlace = {
  readonly flowId: string | null;
  readonly amount: Micro;
  readonly before: { readonly count: number; readonly amount: Micro };
  readonly room: Room;
};

/** What happens next to money that waits, and how to leave. */
export function placeNote({ flowId, amount, before, room: { capacity, inUse } }: QueuePlace): string {
  const others =
    before.count === 0
      ? 'You are next.'
      : `${before.count === 1 ? 'One other waits' : `${before.count} others wait`} before you, with ${dollars(before.amount)}.`;
  const leave =
    flowId === null
      ? 'Until then your money stays in your brokerage account, set aside for this deployment. You can leave the queue at any time.'
      : 'Until then the money stays free in your brokerage account. You can cancel at any time.';
  if (capacity !== null && isTooMuch({ amount }, capacity))
    return `The strategy takes ${dollars(capacity)} in all at present, less than the ${dollars(amount)} that you ask for. You keep your place; others may come first. ${leave}`;
  const room =
    capacity === null || inUse < capacity
      ? `There is room for ${capacity === null ? 'it' : dollars(subtract(capacity, inUse))} now, and the first in the queue is let in once all of their amount fits.`
      : 'The strategy is full: the first in the queue is let in once somebody leaves and all of their amount fits.';
  return `${others} ${room} We tell you when it is your turn. ${leave}`;
}
