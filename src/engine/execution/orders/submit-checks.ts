// Whether an order may leave for the broker now, by its deployment, its owner's permissions and the calendar: the
// pre-trade checks. Checks against other orders and the account come after; see order-holds.
import type { Instant } from '#units/instant.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Quantity } from '#units/quantity.ts';
import {
  type CommandedStatus,
  effectivePermission,
  followsStrategy,
  isClosing,
} from '../../lifecycle/effective-status.ts';
import type { TradingCalendar } from '../../market/calendar.ts';
import type { TripwireReaction } from '../../risk/tripwire.ts';
import type { ProtectiveStop } from '../../risk/protective-stop.ts';
import { dayOrderEndsAt } from './day-order.ts';
import { addsExposure } from './exposure.ts';
import type { OpenOrder } from './open-order.ts';
import type { EndReason } from './order-reason.ts';
import { isStopTime, stopFits } from '../stops/protective-stops.ts';

export type SubmitSnapshot = {
  readonly order: OpenOrder;
  readonly deployment: TradingSituation;
  readonly gates: SubmitGates;
  /** The stop that its position wants now; used for a protective order only. */
  readonly wantedStop: ProtectiveStop | null;
  /** Of its instrument; null when the catalogue no longer has it. */
  readonly calendar: TradingCalendar | null;
  readonly now: Instant;
};

export type TradingSituation = CommandedStatus & {
  readonly frozenAt: Instant | null;
  readonly reaction: TripwireReaction | null;
  readonly allowsShort: boolean;
  readonly holdings: ReadonlyMap<Symbol, { readonly quantity: Quantity }>;
};

export type SubmitGates = {
  readonly connectionActive: boolean;
  readonly isHalted: boolean;
  /** Any version: what was signed holds for what runs. */
  readonly agreementSigned: boolean;
  /** False once the day has passed by which the newest version had to be signed, and it was not. */
  readonly agreementInTime: boolean;
  readonly suitable: boolean;
  /** No fee of its owner is unpaid for so long that nothing new is opened. */
  readonly feesPaid: boolean;
};

/** 'wait' changes nothing: the check is repeated. */
export type SubmitDecision = { readonly type: 'submit' } | { readonly type: 'wait' } | Withdrawal;
type Withdrawal = { readonly type: 'withdraw'; readonly reason: EndReason };

export function checkSubmit(snapshot: SubmitSnapshot): SubmitDecision {
  const { order, gates } = snapshot;
  if (order.status !== 'intended' || !gates.connectionActive || gates.isHalted) return { type: 'wait' };
  const code = deploymentRefusal(snapshot) ?? stopRefusal(snapshot) ?? staleness(snapshot);
  return code === null ? { type: 'submit' } : { type: 'withdraw', reason: { code } };
}

/** The reasons without parameters. */
type Code = Extract<
  EndReason['code'],
  | 'paused_or_ended'
  | 'agreement_not_signed'
  | 'deployment_stopped'
  | 'nothing_to_close'
  | 'position_changed'
  | 'frozen'
  | 'below_record'
  | 'not_suitable'
  | 'fee_unpaid'
  | 'instrument_removed'
  | 'day_over_unsent'
>;

function deploymentRefusal({ order, deployment, gates }: SubmitSnapshot): Code | null {
  const { purpose, symbol, side, quantity } = order.decided;
  const permission = effectivePermission(deployment);
  if (permission === 'none') return 'paused_or_ended';
  if (!gates.agreementSigned) return 'agreement_not_signed';
  const held = deployment.holdings.get(symbol)?.quantity ?? 0;
  if (purpose === 'rebalance' && isClosing(deployment)) return 'deployment_stopped';
  if (!addsExposure(order.decided, held)) return null;
  if (purpose !== 'rebalance') return 'nothing_to_close';
  if (side === 'sell' && !deployment.allowsShort && quantity > Math.max(0, held)) return 'position_changed';
  if (permission === 'exits_only' || deployment.frozenAt !== null) return 'frozen';
  if (deployment.reaction === 'exits_only') return 'below_record';
  if (!gates.agreementInTime) return 'agreement_not_signed';
  if (!gates.suitable) return 'not_suitable';
  return gates.feesPaid ? null : 'fee_unpaid';
}

/** A protective stop must be the one that its position wants now, and end with the open session. */
function stopRefusal({ order, deployment, wantedStop, calendar, now }: SubmitSnapshot): Code | null {
  if (order.decided.purpose !== 'protective') return null;
  if (calendar !== null && !isStopTime(calendar, now)) return 'day_over_unsent';
  return followsStrategy(deployment) && stopFits(order, wantedStop) ? null : 'position_changed';
}

/** An order that could not be sent on its own day is decided again, at newer prices. */
function staleness({ order, calendar, now }: SubmitSnapshot): Code | null {
  if (calendar === null) return 'instrument_removed';
  return now < dayOrderEndsAt(calendar, order.decided.decidedAt) ? null : 'day_over_unsent';
}
