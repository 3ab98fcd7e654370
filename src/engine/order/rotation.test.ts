import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BrokerConnectionId, StrategyVersionId } from '#units/identifiers.ts';
import { inRotation, shareBefore, type Signal } from './rotation.ts';

const versionId = 'V' as StrategyVersionId;
type Account = { readonly id: BrokerConnectionId };
const accountsOf = (count: number, seed = 0): Account[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${seed}-${i}` as BrokerConnectionId }));
const order = (accounts: readonly Account[], turn: number, version = versionId) =>
  inRotation(accounts, () => [{ versionId: version, turn }]).map(({ id }) => id);

/** The sum of each account's places over turns; `present` says who is there at a turn. */
function placesOver(turns: number, present: (turn: number) => readonly Account[]) {
  const sums = new Map<BrokerConnectionId, number>();
  for (let turn = 1; turn <= turns; turn++)
    for (const [place, id] of order(present(turn), turn).entries()) sums.set(id, (sums.get(id) ?? 0) + place);
  return sums;
}
const spread = (sums: Iterable<number>) => Math.max(...sums) - Math.min(...sums);

describe('the rotation', () => {
  it('favours nobody: sums of places differ by less than the number of accounts, whenever one looks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 1_000 }),
        fc.integer({ min: 1, max: 80 }),
        (count, seed, turns) => {
          const accounts = accountsOf(count, seed);
          const sums = placesOver(turns, () => accounts);
          expect(spread(sums.values())).toBeLessThanOrEqual(turns % 2 === 0 ? 0 : count - 1);
        },
      ),
    );
  });

  it('favours nobody who stays while others come and go: each who comes or goes between the halves of a pair costs one place at most', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000 }),
        fc.array(fc.nat(39), { maxLength: 40 }),
        (seed, leaving) => {
          const accounts = accountsOf(40, seed);
          const stay = accounts.filter((_, i) => !leaving.includes(i));
          // One more is away from each turn on.
          const present = (turn: number) => accounts.filter((_, i) => !leaving.slice(0, turn).includes(i));
          const turns = 60;
          const sums = placesOver(turns, present);
          const those = stay.map(({ id }) => sums.get(id)!);
          if (those.length > 1) expect(spread(those)).toBeLessThanOrEqual(40 - 1 + new Set(leaving).size);
        },
      ),
    );
  });

  it('brings everybody to the front of a year about as often as chance would, not just the same in the mean', () => {
    const accounts = accountsOf(200);
    const first = new Map<string, number>();
    const turns = 252;
    for (let turn = 1; turn <= turns; turn++)
      for (const id of order(accounts, turn).slice(0, 50)) first.set(id, (first.get(id) ?? 0) + 1);
    for (const { id } of accounts) {
      const share = (first.get(id) ?? 0) / turns;
      expect(share).toBeGreaterThan(0.15);
      expect(share).toBeLessThan(0.35);
    }
  });

  it('is the same whoever computes it, from however mixed a list, and another for another version', () => {
    const accounts = accountsOf(30);
    expect(order(accounts.toReversed(), 7)).toEqual(order(accounts, 7));
    expect(order(accounts, 8)).not.toEqual(order(accounts, 7));
    expect(order(accounts, 8).toReversed()).toEqual(order(accounts, 7));
    expect(order(accounts, 7, 'W' as StrategyVersionId)).not.toEqual(order(accounts, 7));
  });

  it('of a part of the accounts, as each trader holds one, is the order of all without the others', () => {
    const accounts = accountsOf(50);
    const part = accounts.filter((_, i) => i % 3 === 0);
    const ids = new Set(part.map(({ id }) => id));
    expect(order(part, 12)).toEqual(order(accounts, 12).filter((id) => ids.has(id)));
  });

  it('says how much of the ring comes before an account, in the order of the rotation', () => {
    const accounts = accountsOf(40);
    for (const turn of [1, 2, 9, 10]) {
      const shares = order(accounts, turn).map((id) => shareBefore({ versionId, turn }, id));
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      expect(shares.every((share) => share >= 0 && share < 1)).toBe(true);
    }
  });

  it('lets accounts that only close come first, and takes the first of several signals', () => {
    const signal = (version: string, turn: number): Signal => ({
      versionId: version as StrategyVersionId,
      turn,
    });
    const accounts = accountsOf(20);
    const [closing, ...others] = accounts;
    const mixed = inRotation(accounts, (one) =>
      one === closing ? [] : one === others[3] ? [signal('W', 4), signal('V', 7)] : [signal('V', 7)],
    );
    expect(mixed.map(({ id }) => id)).toEqual([closing!.id, ...order(others, 7)]);
  });
});
