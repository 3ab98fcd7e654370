import { expect, it, test } from 'vitest';
import { DEPLOYMENT_STATUSES } from '#engine/lifecycle/status.ts';
import { toMicro } from '#units/money.ts';
import { checkFlowAmount, flowRefusal, type FlowSituation, withdrawableOf } from './flow-amount.ts';

const situation = (change: Partial<FlowSituation> = {}): FlowSituation => ({
  status: 'active',
  requestedStatus: null,
  equity: toMicro(12_000.005),
  minimum: toMicro(5_000),
  freeNow: toMicro(500),
  isShadow: false,
  isToBeLiquidated: false,
  isPending: false,
  ...change,
});
const said = (kind: 'deposit' | 'withdrawal', dollars: number, change: Partial<FlowSituation> = {}) =>
  checkFlowAmount(kind, toMicro(dollars), situation(change))?.message ?? null;

it('leaves the minimum of the strategy, to the cent', () => {
  expect(withdrawableOf(situation())).toBe(toMicro(7_000));
  expect(said('withdrawal', 7_000)).toBeNull();
  expect(said('withdrawal', 7_000.01)).toContain('At most $7,000: the strategy needs $5,000.');
  expect(withdrawableOf(situation({ equity: toMicro(100) }))).toBe(0);
});

test.each([
  [Number.NaN, 'Please enter the amount in dollars.'],
  [9.99, 'At least $10'],
  [10.005, 'Please enter the amount in whole cents.'],
  [10_000_000.01, 'Maximum: $10,000,000'],
])('of %s says: %s', (amount, sentence) => {
  const micro = Number.isNaN(amount) ? Number.NaN : toMicro(amount);
  expect(checkFlowAmount('deposit', micro, situation())?.message).toBe(sentence);
});

it('takes no more than is free while trading is paused, because nothing is sold then', () => {
  expect(said('withdrawal', 500, { status: 'paused' })).toBeNull();
  expect(said('withdrawal', 500.01, { status: 'paused' })).toContain('Trading is paused');
  expect(said('withdrawal', 500.01, { requestedStatus: 'paused' })).toContain('Trading is paused');
});

it('can add only where more may be traded, and withdraw while a deployment runs', () => {
  const open = (kind: 'deposit' | 'withdrawal') =>
    DEPLOYMENT_STATUSES.filter((status) => flowRefusal(kind, situation({ status })) === null);
  expect(open('deposit')).toEqual(['active', 'paused']);
  expect(open('withdrawal')).toEqual(['active', 'paused', 'frozen']);
});

it('moves nothing once its owner has asked it to stop, also while it is still paused', () => {
  for (const kind of ['deposit', 'withdrawal'] as const)
    expect(flowRefusal(kind, situation({ status: 'paused', requestedStatus: 'stopped' }))).toContain(
      'closing',
    );
});

test.each([
  ['isShadow', 'shadow'],
  ['isPending', 'already'],
  ['isToBeLiquidated', 'liquidate'],
] as const)('%s refuses both', (fact, word) => {
  for (const kind of ['deposit', 'withdrawal'] as const)
    expect(flowRefusal(kind, situation({ [fact]: true }))).toContain(word);
});

it('offers to close what cannot give anything', () => {
  expect(flowRefusal('withdrawal', situation({ equity: toMicro(5_009) }))).toContain('Close the deployment');
});
