import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { add, micro, type Micro, toMicro } from '#units/money.ts';
import { admit, type Waiting } from './admit.ts';

const amount = fc.integer({ min: 1, max: 200 }).map((thousands) => toMicro(thousands * 1_000));
const queue = fc
  .array(amount, { maxLength: 30 })
  .map((amounts): readonly Waiting[] => amounts.map((one, place) => ({ place, amount: one })));
const room = fc.record({ capacity: fc.option(amount), inUse: amount });
const placesOf = (admitted: ReturnType<typeof admit>) => admitted.map(({ one }) => one.place);

it('never lets in more than there is room for, and nobody before somebody who signed earlier and fits at all', () => {
  fc.assert(
    fc.property(queue, room, (waiting, { capacity, inUse }) => {
      const admitted = admit(waiting, { capacity, inUse });
      const after = add(inUse, ...admitted.map(({ one }) => one.amount));
      if (capacity !== null && admitted.length > 0) expect(after).toBeLessThanOrEqual(capacity);
      const places = placesOf(admitted);
      const last = places.at(-1) ?? -1;
      const overtaken = waiting.filter(
        (one) =>
          one.place < last && !places.includes(one.place) && (capacity === null || one.amount <= capacity),
      );
      expect(overtaken).toEqual([]);
      // The next one in turn does not fit.
      const next = waiting.find((one) => one.place > last && (capacity === null || one.amount <= capacity));
      if (next !== undefined) expect(add(after, next.amount)).toBeGreaterThan(capacity!);
    }),
    { numRuns: 2_000 },
  );
});

it('gives the same answer in one go as in many, whatever order it is asked in', () => {
  fc.assert(
    fc.property(queue, room, fc.integer({ min: 0, max: 30 }), (waiting, given, cut) => {
      const whole = placesOf(admit(waiting.toReversed(), given));
      const first = admit(waiting.slice(0, cut), given);
      const rest = waiting.filter((one) => !placesOf(first).includes(one.place));
      const inUse = add(given.inUse, ...first.map(({ one }) => one.amount));
      expect([...placesOf(first), ...placesOf(admit(rest, { ...given, inUse }))]).toEqual(whole);
    }),
  );
});

it('says what was in it before each', () => {
  const waiting = [5, 7].map((thousands, place) => ({ place, amount: toMicro(thousands * 1_000) }));
  const admitted = admit(waiting, { capacity: toMicro(20_000), inUse: toMicro(8_000) });
  expect(admitted.map(({ inUseBefore }) => inUseBefore)).toEqual([toMicro(8_000), toMicro(13_000)]);
  expect(admit(waiting, { capacity: micro(0) as Micro, inUse: micro(0) as Micro })).toEqual([]);
});
