// Prints every case of the independent libraries and engines beside ours: one row a case, with the value that uses most
// of its tolerance. Ends with 1 when any case is out of tolerance.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { SHARED } from '../support/shared-data.ts';
import { isWithin, type OracleCase, worstOf } from './comparison.ts';
import { empyricalCases } from './empyrical-cases.ts';
import { engineRunCases } from './engine-run-cases.ts';
import { ffnCases } from './ffn-cases.ts';
import { indicatorSeriesCases, publishedIndicatorCases } from './indicator-cases.ts';
import { momentumCases } from './momentum-cases.ts';
import { overfittingCases } from './overfitting-cases.ts';
import { runMeasureCases } from './run-measure-cases.ts';

const HEADER = ['file', 'case', 'what', 'theirs', 'ours', 'difference', 'tolerance', 'ok'];
const CASE_SIGNS_MAX = 60;

const folder = path.join(SHARED, 'vectors');
if (existsSync(folder)) printCases();
else console.log(`There are no vectors to compare with: the folder ${folder} is absent.`);

function printCases(): void {
  const rows = [
    ...publishedIndicatorCases(),
    ...indicatorSeriesCases(),
    ...empyricalCases(),
    ...ffnCases(),
    ...overfittingCases(),
    ...engineRunCases(),
    ...runMeasureCases(),
    ...momentumCases(),
  ].map(rowOf);
  const table = [HEADER, ...rows.map(({ cells }) => cells)];
  const widths = HEADER.map((_, k) => Math.max(...table.map((cells) => cells[k]!.length)));
  for (const cells of table)
    console.log(
      cells
        .map((cell, k) => cell.padEnd(widths[k]!))
        .join('  ')
        .trimEnd(),
    );
  const values = rows.reduce((sum, row) => sum + row.values, 0);
  const wrong = rows.filter((row) => !row.isRight).length;
  const verdict = wrong === 0 ? 'all within tolerance' : `${wrong} cases OUT OF TOLERANCE`;
  console.log(`\n${rows.length} cases, ${values.toLocaleString('en-US')} values: ${verdict}.`);
  if (wrong > 0 || rows.length === 0) process.exitCode = 1;
}

function rowOf(one: OracleCase): { cells: string[]; values: number; isRight: boolean } {
  const compared = one.compare();
  const worst = worstOf(compared);
  const isRight = worst !== undefined && compared.every(isWithin);
  const name = one.name.length > CASE_SIGNS_MAX ? `${one.name.slice(0, CASE_SIGNS_MAX - 1)}…` : one.name;
  const numbers =
    worst === undefined
      ? ['nothing compared', '', '', '', '']
      : [
          worst.what,
          numberText(worst.theirs),
          numberText(worst.ours),
          boundText(worst.difference),
          boundText(worst.tolerance),
        ];
  return {
    cells: [one.file, name, ...numbers, isRight ? 'yes' : 'NO'],
    values: compared.length,
    isRight,
  };
}

function numberText(value: number): string {
  return Number.isNaN(value) ? 'none' : String(Number(value.toPrecision(12)));
}

function boundText(value: number): string {
  return value === 0 ? '0' : value.toExponential(1);
}
