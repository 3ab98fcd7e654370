// The states of a deployment and the moves between them (specification, sections 3 and 4, extended by the states that
// trading needs). Promises one table: a move outside it cannot happen.

export const DEPLOYMENT_STATUSES = [
  'pending',
  'active',
  'paused',
  'frozen',
  'stopping',
  'liquidating',
  'liquidated',
  'stopped',
  'failed',
] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** The states that its owner, or support on their behalf, can request. */
export const REQUESTED_STATUSES = [
  'active',
  'paused',
  'stopped',
  'liquidated',
] as const satisfies readonly DeploymentStatus[];
export type RequestedStatus = (typeof REQUESTED_STATUSES)[number];

/** client: the owner. support: the provider's staff. trader: the trading process, reacting to events. */
export type DeploymentActor = 'client' | 'support' | 'trader';

export type DeploymentMove = {
  readonly from: DeploymentStatus;
  readonly to: DeploymentStatus;
  readonly by: DeploymentActor;
};

/** Whether this actor may make this move. */
export function canMove({ from, to, by }: DeploymentMove): boolean {
  return MOVES[from].some((move) => move.to === to && move.by.includes(by));
}

/** Final states: no position is left, and the money is the owner's own again. */
export function hasEnded(status: DeploymentStatus): boolean {
  return MOVES[status].length === 0;
}

/** What the owner and the life cycle allow: 'exits_only' closes and reduces, 'none' sends no order at all. */
export type TradingPermission = 'full' | 'exits_only' | 'none';

export function tradingPermission(status: DeploymentStatus): TradingPermission {
  if (status === 'active') return 'full';
  return status === 'frozen' || status === 'stopping' || status === 'liquidating' ? 'exits_only' : 'none';
}

type Move = { readonly to: DeploymentStatus; readonly by: readonly DeploymentActor[] };

const toStopping: Move = { to: 'stopping', by: ['client', 'support'] };
const toLiquidating: Move = { to: 'liquidating', by: ['support'] };
const toFrozen: Move = { to: 'frozen', by: ['trader'] };
const toFailed: Move = { to: 'failed', by: ['trader'] };

/**
 * A freeze is sticky: only the owner ends it, by resuming (see carry-out.ts). A release from quarantine leads back to where
 * it came from, see quarantine.ts: a deployment that traded then is paused.
 */
const MOVES: Readonly<Record<DeploymentStatus, readonly Move[]>> = {
  pending: [
    { to: 'active', by: ['client', 'trader'] },
    { to: 'stopped', by: ['client', 'support', 'trader'] },
    toFailed,
  ],
  active: [{ to: 'paused', by: ['client', 'support'] }, toFrozen, toStopping, toLiquidating, toFailed],
  paused: [{ to: 'active', by: ['client', 'support'] }, toFrozen, toStopping, toLiquidating, toFailed],
  frozen: [{ to: 'active', by: ['client'] }, toStopping, toLiquidating, toFailed],
  stopping: [{ to: 'stopped', by: ['trader'] }, toLiquidating, toFailed],
  liquidating: [{ to: 'liquidated', by: ['trader'] }, toFailed],
  failed: [{ to: 'paused', by: ['support'] }, { to: 'frozen', by: ['support'] }, toStopping, toLiquidating],
  liquidated: [],
  stopped: [],
};
