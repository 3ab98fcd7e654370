import { expect, it } from 'vitest';
import { beyondBenchmark } from './beyond-benchmark.ts';

const benchmark = Float64Array.of(0.02, -0.01, 0.03, -0.02, 0.01);

it('leaves nothing of a benchmark that is held, at any exposure', () => {
  for (const exposure of [1, 0.5, 2, -1])
    for (const left of beyondBenchmark(
      benchmark.map((value) => exposure * value),
      benchmark,
    )!)
      expect(left).toBeCloseTo(0, 15);
});

it('leaves what is earned besides', () => {
  const extra = beyondBenchmark(
    benchmark.map((value) => 0.5 * value + 0.001),
    benchmark,
  );
  for (const left of extra!) expect(left).toBeCloseTo(0.001, 15);
});

it('says nothing where the benchmark never moved or has no price', () => {
  const returns = Float64Array.of(0.01, 0.02, 0.03);
  expect(beyondBenchmark(returns, new Float64Array(3))).toBeNull();
  expect(beyondBenchmark(returns, new Float64Array(3).fill(Number.NaN))).toBeNull();
  const found = beyondBenchmark(returns, Float64Array.of(Number.NaN, 0.01, 0.02));
  expect(found![0]).toBeNaN();
  expect(() => beyondBenchmark(returns, new Float64Array(2))).toThrow(RangeError);
});
