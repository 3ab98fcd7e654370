import { expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { positionSizes } from './position-sizes.ts';

const sizesOf = (...lines: readonly (readonly [number, number])[]) =>
  positionSizes({
    symbols: ['SPY', 'TLT'] as Symbol[],
    count: lines.length,
    weights: Float64Array.from(lines.flat()),
  });

it('are the largest position of each target, long or short: the one in the middle, and the largest of all', () => {
  expect(sizesOf([0.5, 0.2], [0.1, -0.9], [0.3, 0.3])).toEqual({ usual: 0.5, largest: 0.9 });
  expect(sizesOf([0.4, 0], [0.2, 0.1])).toEqual({ usual: 0.2, largest: 0.4 });
});

it('leave out targets that ask for nothing, and are not there where none asks for anything', () => {
  expect(sizesOf([0, 0], [0.25, 0.25], [0, 0])).toEqual({ usual: 0.25, largest: 0.25 });
  expect(sizesOf([0, 0])).toBeNull();
  expect(sizesOf()).toBeNull();
});
