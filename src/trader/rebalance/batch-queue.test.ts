import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bisect, cutIntoBatches } from './batch-queue.ts';

const anyIds = fc.nat(500).map((count) => Array.from({ length: count }, (_, i) => i));

test('batches hold every id once, in order, none above the limit, and keep all workers busy to the last round', () => {
  fc.assert(
    fc.property(
      anyIds,
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 4 }),
      (ids, sizeMax, workers) => {
        const batches = cutIntoBatches(ids, { sizeMax, workers });
        expect(batches.flat()).toEqual(ids);
        for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(sizeMax);
        const sizes = batches.map(({ length }) => length);
        expect(
          Math.max(0, ...sizes.slice(0, -1)) - Math.min(Infinity, ...sizes.slice(0, -1)),
        ).not.toBeGreaterThan(0);
      },
    ),
  );
});

test('bisecting leaves out exactly the failing ids', () => {
  fc.assert(
    fc.property(anyIds, fc.func(fc.boolean()), (ids, fails) => {
      const bad = new Set(ids.filter((id) => fails(id)));
      const [done, failed]: [number[], number[]] = [[], []];
      const queue: (readonly number[])[] = [ids];
      for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
        if (!batch.some((id) => bad.has(id))) done.push(...batch);
        else {
          const halves = bisect(batch);
          if (halves === null) failed.push(...batch);
          else queue.unshift(...halves);
        }
      }
      expect(done).toEqual(ids.filter((id) => !bad.has(id)));
      expect(failed).toEqual([...bad]);
    }),
  );
});
