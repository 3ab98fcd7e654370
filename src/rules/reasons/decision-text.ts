// A decision of a deployment in words: its title, its checks and what a replay of it found.
import type { CheckResult, DecisionCheck } from '#engine/decision/checks.ts';
import type { Difference, ReplayPart } from '#engine/decision/replay-decision.ts';
import { type DeploymentStatus, hasEnded } from '#engine/lifecycle/status.ts';
import type { OrderPurpose, Side } from '#engine/order/order.ts';

/** 'Buy 6, sell 2', of what was ordered. */
export function decisionTitle(sides: readonly Side[]): string {
  const bought = sides.filter((side) => side === 'buy').length;
  const sold = sides.length - bought;
  const parts = [...(bought > 0 ? [`buy ${bought}`] : []), ...(sold > 0 ? [`sell ${sold}`] : [])];
  if (parts.length === 0) return 'Nothing to trade';
  return capital(parts.join(', '));
}

/** When the orders of an account left among those of everybody who follows the strategy. */
export function rotationText(turn: number, beforePercent: number): string {
  const place = beforePercent === 0 ? 'among the first' : `after ${beforePercent}% of the way round`;
  return `Signal ${turn} of these rules: in the rotation among its followers your account’s turn came ${place}.`;
}

/** What the next decision would likely order, or why nobody knows before it. */
export function likelyText(
  outlook: { readonly sides: readonly Side[] } | { readonly unknown: 'model' | 'prices' | 'far' },
): string {
  if ('sides' in outlook) {
    if (outlook.sides.length === 0) return 'Likely: nothing to trade, if prices stay as they are now.';
    return `Likely: ${decisionTitle(outlook.sides).toLowerCase()}, if prices stay as they are now.`;
  }
  switch (outlook.unknown) {
    case 'model':
      return 'Its model is scored on the closing prices, so what it orders is known at its next close.';
    case 'prices':
      return 'Not every price that it reads is there now, so what it orders is known at its next close.';
    case 'far':
      return 'Its next decision is more than a year away.';
  }
}

/** Why a deployment follows no decision now. */
export function noDecisionText(status: DeploymentStatus): string {
  if (hasEnded(status)) return 'It has ended: no further decision follows.';
  if (status === 'paused') return 'Paused: no decision is followed until you resume it.';
  if (status === 'pending') return 'Waiting to start: it follows the strategy once it is active.';
  return 'It is closing its positions: no further decision is followed.';
}

/** Empty where the orders and reasons say it all. */
export function decisionText({
  orders,
  refused,
}: {
  readonly orders: number;
  readonly refused: number;
}): string {
  return orders + refused === 0 ? 'Everything was held as the strategy wants it.' : '';
}

export const EXIT_TITLES: { readonly [Purpose in Exclude<OrderPurpose, 'rebalance'>]: string } = {
  stop_loss: 'Stop loss reached',
  margin_call: 'Closed for margin',
  liquidation: 'Closing the positions',
  protective: 'Protective stop filled',
};

const CHECKS: { readonly [Check in DecisionCheck]: string } = {
  price: 'It has a price, and nothing stops its trading',
  no_order_open: 'No earlier order of it is open',
  direction: 'The direction is allowed',
  stop_loss: 'It was not closed by a stop loss before',
  record: 'Its returns are not worse than its record',
  allocation: 'Within your max allocation',
  size: 'At least the smallest order',
  worth_trading: 'The difference is worth its cost',
  cover: 'Shares cover the option',
  broker: 'The broker takes it',
  cash: 'There is cash for it',
  status: 'The deployment may trade',
};

export function checkText(check: DecisionCheck): string {
  return CHECKS[check];
}

export const CHECK_RESULT_WORDS: { readonly [Result in CheckResult]: string } = {
  passed: 'Passed',
  limited: 'Made smaller',
  waits: 'Waits',
  failed: 'Stopped here',
  not_reached: 'Not needed',
};

const PARTS: { readonly [Part in ReplayPart]: string } = {
  target: 'the strategy’s target',
  reasons: 'the reasons',
  sizes: 'the sizes',
  orders: 'the orders',
  refusals: 'the reasons for no order',
};

/** What a replay found, and where it differs. */
export function replayText(
  differences: readonly Difference[],
  { isSameEngine }: { readonly isSameEngine: boolean },
): string {
  const older = isSameEngine
    ? ''
    : ' The decision was made by another version of the engine than the one in this browser.';
  if (differences.length === 0)
    return `Equal: this browser made the same decision from the same prices, reason by reason and order by order.${older}`;
  const named = differences.map(({ part, symbol }) =>
    symbol === null ? PARTS[part] : `${PARTS[part]} (first ${symbol})`,
  );
  return `Different: in this browser ${named.join(', ')} came out otherwise.${older === '' ? ' Please tell our support.' : older}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
