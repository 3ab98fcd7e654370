import { expect, test } from 'vitest';
import { chartCsv } from './chart-csv.ts';

test('a row for each day, empty where nothing is known', () => {
  const csv = chartCsv(
    ['2026-01-02', '2026-01-05'],
    [
      { name: 'Yours', values: [100, 101.5] },
      { name: 'Benchmark', values: [null, 99] },
    ],
  );
  expect(csv).toBe('date,Yours,Benchmark\r\n2026-01-02,100,\r\n2026-01-05,101.5,99\r\n');
});

test('names stay one field, and none runs as a formula', () => {
  expect(chartCsv([], [{ name: 'Stocks, "big"', values: [] }])).toBe('date,"Stocks, ""big"""\r\n');
  expect(chartCsv([], [{ name: '=SUM(A1)', values: [] }])).toBe("date,'=SUM(A1)\r\n");
});
