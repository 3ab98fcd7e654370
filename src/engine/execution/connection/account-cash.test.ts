import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DeploymentId } from '#units/identifiers.ts';
import { add, type Micro, micro } from '#units/money.ts';
import {
  availableCash,
  claimedCash,
  type Claims,
  coveredDeployments,
  renewalPauseMs,
} from './account-cash.ts';
import { BROKER_FAILURE_CODES } from './broker-failure.ts';

const ids = ['D1', 'D2', 'D3', 'D4'] as DeploymentId[];
const amount = fc.integer({ min: 0, max: 1_000 }).map(micro);
const claims: fc.Arbitrary<Claims> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...ids), amount), { selector: ([id]) => id })
  .map((entries) => new Map(entries));
const sum = (of: Claims): Micro => add(...of.values());

it('never claims less than the books did before or after the reading', () => {
  fc.assert(
    fc.property(claims, claims, (before, after) => {
      const claimed = claimedCash(before, after);
      expect(claimed).toBeGreaterThanOrEqual(Math.max(sum(before), sum(after)));
      expect(claimed).toBeLessThanOrEqual(sum(before) + sum(after));
      expect(claimedCash(before, before)).toBe(sum(before));
    }),
  );
});

it('makes no dollar available twice, whether a purchase was filled before or after the reading', () => {
  fc.assert(
    fc.property(amount, amount, amount, fc.boolean(), (free, held, spent, wasFilled) => {
      fc.pre(spent <= held);
      const before = new Map([['D1' as DeploymentId, held]]);
      const after = new Map([['D1' as DeploymentId, micro(held - spent)]]);
      // The broker pays for the purchase either just before it reports its cash, or just after.
      const cash = micro(free + held - (wasFilled ? spent : 0));
      expect(availableCash({ cash, claimed: claimedCash(before, after) })).toBeLessThanOrEqual(free);
    }),
  );
});

it('covers the oldest first, never more than the account has, and never passes over one that fits', () => {
  const awaiting = fc.array(amount, { maxLength: 4 });
  fc.assert(
    fc.property(amount, amount, awaiting, (cash, others, amounts) => {
      const waiting = amounts.map((one, i) => ({ id: ids[i]!, cash: one }));
      const claimed = add(others, ...amounts);
      const covered = coveredDeployments({ cash, claimed }, waiting);
      const taken = waiting.filter(({ id }) => covered.has(id)).map((one) => one.cash);
      if (taken.length > 0) expect(add(others, ...taken)).toBeLessThanOrEqual(cash);
      const [first] = waiting;
      if (first) expect(covered.has(first.id)).toBe(first.cash <= cash - others);
    }),
  );
});

it('asks less often where a person must act than where the broker may be back', () => {
  const pauses = Object.fromEntries(BROKER_FAILURE_CODES.map((code) => [code, renewalPauseMs(code)]));
  const { unauthorized, refused, ...others } = pauses;
  for (const needsPerson of [unauthorized!, refused!])
    expect(needsPerson).toBeGreaterThan(Math.max(renewalPauseMs(null), ...Object.values(others)));
});
