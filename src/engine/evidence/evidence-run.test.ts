import { describe, expect, it } from 'vitest';
import type { IsoDate } from '#units/instant.ts';
import { netOfFee } from '../performance/net-of-fee.ts';
import { SAMPLE_DEFINITIONS } from '#tests/support/engine/sample-definitions.ts';
import { definitionHash } from '../strategy/definition-hash.ts';
import { engineHash } from './engine-hash.ts';
import { neighbours } from './neighbours.ts';

describe('returns after the performance fee', () => {
  const dates = ['2024-01-30', '2024-01-31', '2024-02-15', '2024-02-29', '2024-03-28'] as IsoDate[];

  it('takes its share of new profit at each month end, and never twice of the same', () => {
    const net = netOfFee(dates, Float64Array.of(100, 110, 99, 110, 121), 30);
    // 107 after January; February's recovery to 107 is the mark again; in March 10% more on 107 is 10.7.
    expect([...net].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([100, 107, 96.3, 107, 114.49]);
  });

  it('charges nothing on a loss and nothing at zero percent', () => {
    const equity = Float64Array.of(100, 90, 80, 95, 99);
    expect(netOfFee(dates, equity, 30)).toEqual(netOfFee(dates, equity, 0));
    expect([...netOfFee(dates, equity, 0)].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([
      ...equity,
    ]);
  });
});

describe('the neighbours of a definition', () => {
  it.each(Object.entries(SAMPLE_DEFINITIONS))(
    'of %s are several, distinct and other than it',
    (_, definition) => {
      const hashes = neighbours(definition).map(definitionHash);
      expect(hashes.length).toBeGreaterThanOrEqual(3);
      expect(new Set([...hashes, definitionHash(definition)]).size).toBe(hashes.length + 1);
      expect(neighbours(definition).map(definitionHash)).toEqual(hashes);
    },
  );
});

it('the neighbours of a structure of options are struck elsewhere', () => {
  const plain = SAMPLE_DEFINITIONS['momentum']!;
  const options = {
    structure: 'covered_call',
    underlyings: [plain.universe[0]!],
    strikePercent: 102,
  } as const;
  const strikes = neighbours({ ...plain, options }).map((one) => one.options?.strikePercent);
  expect(new Set(strikes)).toEqual(new Set([100, 101, 102, 103, 104]));
});

describe('the hash of the engine', () => {
  const files = [
    { path: 'engine/step.ts', text: 'export const one = 1;\n' },
    { path: 'units/money.ts', text: 'export const two = 2;\n' },
  ];

  it('changes with one sign of one file, and with its name', () => {
    const hash = engineHash(files);
    expect(engineHash([files[0]!, { ...files[1]!, text: 'export const two = 3;\n' }])).not.toBe(hash);
    expect(engineHash([files[0]!, { ...files[1]!, path: 'units/mony.ts' }])).not.toBe(hash);
  });

  it('knows neither the order of files, nor tests, nor how lines end', () => {
    const others = [
      { path: 'engine/step.test.ts', text: 'test' },
      ...files.toReversed().map(({ path, text }) => ({ path, text: text.replaceAll('\n', '\r\n') })),
    ];
    expect(engineHash(others)).toBe(engineHash(files));
  });
});
