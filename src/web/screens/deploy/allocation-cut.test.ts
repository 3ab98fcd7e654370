import { expect, test } from 'vitest';
import { allocationCut } from './allocation-cut.ts';

const thirds = { usual: 33.3333, largest: 33.3333 };

test('says nothing where the limit leaves all that the strategy asks for, or where that is not known', () => {
  expect(allocationCut(null, 5, 50)).toBeNull();
  expect(allocationCut(thirds, 34, 50)).toBeNull();
  expect(allocationCut({ usual: 10, largest: 20 }, 20, 50)).toBeNull();
});

test('says what is usually cut, and which limit would do', () => {
  const cut = allocationCut(thirds, 20, 50);
  expect(cut?.sentence).toContain(
    'usually puts 33.3% of its money into one position. Your limit keeps anything above 20%',
  );
  expect(cut?.suffices).toBe(34);
  expect(allocationCut({ usual: 25, largest: 100 }, 20, 50)?.sentence).toContain(
    'usually puts 25% of its money into one position, at most 100%.',
  );
});

test('distinguishes occasional cuts from constant ones', () => {
  const cut = allocationCut({ usual: 12.5, largest: 40 }, 20, 50);
  expect(cut?.sentence).toContain('usually puts 12.5% or less of its money into one position, at most 40%.');
});

test('offers no more than the range has', () => {
  expect(allocationCut({ usual: 90, largest: 100 }, 20, 50)?.suffices).toBe(50);
  expect(allocationCut({ usual: 90, largest: 100 }, 50, 50)?.suffices).toBeNull();
});
