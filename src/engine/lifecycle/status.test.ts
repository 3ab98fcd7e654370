import { describe, expect, it } from 'vitest';
import {
  canMove,
  DEPLOYMENT_STATUSES,
  type DeploymentStatus,
  hasEnded,
  tradingPermission,
} from './status.ts';

const ACTORS = ['client', 'support', 'trader'] as const;

function next(from: DeploymentStatus): DeploymentStatus[] {
  return DEPLOYMENT_STATUSES.filter((to) => ACTORS.some((by) => canMove({ from, to, by })));
}

describe('the life cycle of a deployment', () => {
  it('reaches an end from every state', () => {
    for (const start of DEPLOYMENT_STATUSES) {
      const seen = new Set<DeploymentStatus>([start]);
      for (const status of seen) for (const to of next(status)) seen.add(to);
      expect([...seen].some(hasEnded)).toBe(true);
    }
  });

  it('leaves stopped and liquidated by no move', () => {
    expect(DEPLOYMENT_STATUSES.filter(hasEnded)).toEqual(['liquidated', 'stopped']);
  });

  it('keeps a freeze until its owner ends it: nobody else does, and nothing pauses it', () => {
    expect(ACTORS.filter((by) => canMove({ from: 'frozen', to: 'active', by }))).toEqual(['client']);
    expect(ACTORS.filter((by) => canMove({ from: 'frozen', to: 'paused', by }))).toEqual([]);
  });

  it('lets the client pause and resume, and only the trader freeze', () => {
    expect(canMove({ from: 'active', to: 'paused', by: 'client' })).toBe(true);
    expect(canMove({ from: 'paused', to: 'active', by: 'client' })).toBe(true);
    expect(ACTORS.filter((by) => canMove({ from: 'active', to: 'frozen', by }))).toEqual(['trader']);
  });

  it('lets only support approve a liquidation', () => {
    expect(ACTORS.filter((by) => canMove({ from: 'active', to: 'liquidating', by }))).toEqual(['support']);
  });

  it('never moves a state to itself', () => {
    expect(DEPLOYMENT_STATUSES.filter((status) => next(status).includes(status))).toEqual([]);
  });

  it('trades in full only while active, and only closes while frozen or ending', () => {
    expect(
      Object.fromEntries(DEPLOYMENT_STATUSES.map((status) => [status, tradingPermission(status)])),
    ).toEqual({
      pending: 'none',
      active: 'full',
      paused: 'none',
      frozen: 'exits_only',
      stopping: 'exits_only',
      liquidating: 'exits_only',
      liquidated: 'none',
      stopped: 'none',
      failed: 'none',
    });
  });
});
