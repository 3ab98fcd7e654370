import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commandRefusal, DEPLOYMENT_COMMANDS } from './apply-command.ts';
import {
  canMove,
  DEPLOYMENT_STATUSES,
  type DeploymentActor,
  type DeploymentStatus,
  hasEnded,
  tradingPermission,
} from './status.ts';

/** A plain description of a deployment after some moves, kept without the table of moves. */
type Model = {
  hasBegun: boolean;
  isFrozen: boolean;
  isLeaving: boolean;
  isLiquidating: boolean;
  isOver: boolean;
  isPaused: boolean;
  hasFailed: boolean;
  /** Closing when it failed. */
  wasLeaving: boolean;
};
type Real = { status: DeploymentStatus };

class Move implements fc.Command<Model, Real> {
  readonly to: DeploymentStatus;
  readonly by: DeploymentActor;
  constructor(to: DeploymentStatus, by: DeploymentActor) {
    this.to = to;
    this.by = by;
  }
  check = () => true;
  run(model: Model, real: Real): void {
    const { to, by } = this;
    const { status: from } = real;
    const isReleased = from === 'failed' && (to === 'paused' || to === 'frozen');
    // A release leads to where it came from: see quarantine.test.ts.
    if (isReleased && (model.wasLeaving || model.isFrozen !== (to === 'frozen'))) return;
    const moved = canMove({ from, to, by });
    expect(moved).toBe(isSensible(model, to, by));
    if (moved) {
      real.status = to;
      note(model, to);
    }
    // What may be sent follows from the events so far, by any path to them.
    const may = tradingPermission(real.status);
    const silent = model.isOver || model.isPaused || model.hasFailed || !model.hasBegun;
    if (silent) expect(may).toBe('none');
    else expect(may).toBe(model.isFrozen || model.isLeaving ? 'exits_only' : 'full');
    expect(hasEnded(real.status)).toBe(model.isOver);
    if (model.isOver)
      for (const command of DEPLOYMENT_COMMANDS) expect(commandRefusal(command, real.status)).not.toBeNull();
  }
  toString = () => `${this.by}: ${this.to}`;
}

function isSensible(model: Model, to: DeploymentStatus, by: DeploymentActor): boolean {
  const { hasBegun, isFrozen, isLeaving, isOver, isPaused, hasFailed } = model;
  if (isOver) return false;
  const isTrading = hasBegun && !isPaused && !isFrozen && !isLeaving && !hasFailed;
  switch (to) {
    case 'pending':
      return false;
    case 'active':
      if (!hasBegun && !hasFailed) return by !== 'support';
      if (isFrozen && !isLeaving && !hasFailed) return by === 'client';
      return isPaused && by !== 'trader';
    case 'paused':
      return hasFailed ? by === 'support' : isTrading && by !== 'trader';
    case 'frozen':
      return hasFailed ? by === 'support' : (isTrading || isPaused) && by === 'trader';
    case 'stopping':
      return (hasBegun || hasFailed) && !isLeaving && by !== 'trader';
    case 'liquidating':
      return (hasBegun || hasFailed) && !model.isLiquidating && by === 'support';
    case 'stopped':
      if (!hasBegun && !hasFailed) return true;
      return isLeaving && !model.isLiquidating && by === 'trader';
    case 'liquidated':
      return model.isLiquidating && by === 'trader';
    case 'failed':
      return !hasFailed && by === 'trader';
    default:
      return to satisfies never;
  }
}

function note(model: Model, to: DeploymentStatus): void {
  if (to === 'active') Object.assign(model, { hasBegun: true, isPaused: false, isFrozen: false });
  if (to === 'paused') Object.assign(model, { hasBegun: true, isPaused: true, hasFailed: false });
  if (to === 'frozen') Object.assign(model, { isFrozen: true, isPaused: false, hasFailed: false });
  const leaves = to === 'stopping' || to === 'liquidating';
  if (leaves) Object.assign(model, { hasBegun: true, isLeaving: true, isPaused: false, hasFailed: false });
  if (leaves) model.isLiquidating = to === 'liquidating';
  if (to === 'failed')
    Object.assign(model, {
      wasLeaving: model.isLeaving,
      hasFailed: true,
      isPaused: false,
      isLeaving: false,
      isLiquidating: false,
    });
  if (to === 'stopped' || to === 'liquidated') model.isOver = true;
}

it('through any moves a deployment trades only while it may, and an end is final', () => {
  const move = fc
    .tuple(fc.constantFrom(...DEPLOYMENT_STATUSES), fc.constantFrom('client', 'support', 'trader'))
    .map(([to, by]) => new Move(to, by as DeploymentActor));
  fc.assert(
    fc.property(fc.commands([move], { maxCommands: 60, size: 'max' }), (commands) => {
      const model: Model = {
        hasBegun: false,
        isFrozen: false,
        isLeaving: false,
        isLiquidating: false,
        isOver: false,
        isPaused: false,
        hasFailed: false,
        wasLeaving: false,
      };
      fc.modelRun(() => ({ model, real: { status: 'pending' } }), commands);
    }),
    { numRuns: 300 },
  );
});
