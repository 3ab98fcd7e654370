// Compared with two independent libraries on 502 daily bars of SPY. Reads the `shared` folder next to the project and
// is skipped where it is absent.
import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../../../tests/vectors/expect-agreement.ts';
import {
  indicatorSeriesCases,
  ourSeries,
  publishedIndicatorCases,
  theirSeries,
} from '../../../tests/vectors/indicator-cases.ts';

const POINTS = publishedIndicatorCases();
const SERIES = indicatorSeriesCases();

describe.skipIf(POINTS.length === 0)('indicators against published points', () => {
  it.each(POINTS.map((one) => [one.name, one] as const))('%s', (_, one) => expectAgreement(one.compare()));
});

describe.skipIf(SERIES.length === 0)('indicators against full series', () => {
  it('has every series', () => {
    expect(Object.keys(theirSeries()).sort()).toEqual(Object.keys(ourSeries()).sort());
  });

  it.each(SERIES.map((one) => [one.name, one] as const))('%s', (_, one) => expectAgreement(one.compare()));
});
