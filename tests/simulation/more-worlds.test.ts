import { expect, test } from 'vitest';
import { testSeeds } from './run-seed.ts';

// More of the worlds that every run of the tests begins.
testSeeds(7, 12);
testSeeds(100_002, 100_003);
const met = testSeeds(13, 30);

test('they met what they are there for', () => {
  expect(Object.entries(met).filter(([, times]) => times === 0)).toEqual([]);
});
