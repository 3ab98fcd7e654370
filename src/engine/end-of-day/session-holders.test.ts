import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { changedHolders, countHoldings, type Holder, splitHolders } from './session-holders.ts';

const OPTION = 'AAA260320C00100000';
const holders = fc
  .uniqueArray(fc.tuple(fc.constantFrom('D1', 'D2', 'D3'), fc.constantFrom('AAA', 'BBB', OPTION)), {
    selector: String,
  })
  .map((pairs) =>
    pairs.map(
      ([deploymentId, symbol], i): Holder => ({
        deploymentId: deploymentId as DeploymentId,
        symbol: symbol as Symbol,
        entitled: toQuantity(i + 1),
      }),
    ),
  );

it('puts options first, and gives the other positions of their holders', () => {
  fc.assert(
    fc.property(holders, (all) => {
      const { options, others, heldByOptionHolders } = splitHolders(all);
      expect(options.every(({ symbol }) => symbol === OPTION)).toBe(true);
      expect(options.length + others.length).toBe(all.length);
      const withOptions = new Set(options.map(({ deploymentId }) => deploymentId));
      for (const { deploymentId, symbol, entitled } of others)
        expect(heldByOptionHolders.get(deploymentId)?.get(symbol)).toBe(
          withOptions.has(deploymentId) ? entitled : undefined,
        );
    }),
  );
});

it('finds holders whose position differs from what was processed, and none once all are processed', () => {
  fc.assert(
    fc.property(holders, fc.nat({ max: 8 }), (all, at) => {
      const counted = countHoldings(new Map(), all);
      expect(changedHolders(counted, all)).toEqual([]);
      const i = all.length === 0 ? -1 : at % all.length;
      const now = all.map((one, j) => (j === i ? { ...one, entitled: toQuantity(99) } : one));
      expect(changedHolders(counted, now)).toEqual(now.filter((_, j) => j === i));
      expect(changedHolders(countHoldings(counted, now), now)).toEqual([]);
    }),
  );
});
