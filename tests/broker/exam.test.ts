// Both broker adapters sit the same exam, each against its own stand-in, and docs/brokers.md shows its table.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BROKER_EXAM } from '#adapters/broker/exam.ts';
import { CAPABILITIES, type Capability, type ExamBench } from '#adapters/broker/exam/exam-case.ts';
import { openAlpacaBench } from './alpaca-bench.ts';
import { openBench } from './interactive-brokers-bench.ts';

const CANDIDATES: readonly {
  readonly name: string;
  readonly has: readonly Capability[];
  readonly open: () => Promise<ExamBench & { close(): Promise<void> }>;
}[] = [
  {
    name: 'Interactive Brokers',
    has: ['commission', 'stops', 'sessions', 'stream', 'prices', 'resets'],
    open: openBench,
  },
  { name: 'Alpaca', has: ['stops'], open: openAlpacaBench },
];

for (const { name, has, open } of CANDIDATES)
  describe(`${name} sits the broker exam`, () => {
    let bench: ExamBench & { close(): Promise<void> };
    beforeEach(async () => {
      bench = await open();
    });
    afterEach(() => bench.close());

    it('has what its column of the table says', () => {
      expect([...bench.capabilities].sort()).toEqual([...has].sort());
    });
    for (const { number, claim, needs, sit } of BROKER_EXAM)
      if (needs === undefined || has.includes(needs)) it(`${number} ${claim}`, () => sit(bench));
  });

it('matches the table in docs/brokers.md', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/brokers.md'), 'utf8');
  expect(page).toContain(table());
});

/** One row a capability and one a case; a dash where the broker lacks what the case needs. */
function table(): string {
  const cell = (isSo: boolean) => (isSo ? 'yes' : '–');
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const names = CANDIDATES.map(({ name }) => name);
  const capabilities = Object.entries(CAPABILITIES).map(([capability, words]) =>
    row(['', words, ...CANDIDATES.map(({ has }) => cell(has.includes(capability as Capability)))]),
  );
  const cases = BROKER_EXAM.map(({ number, claim, needs }) =>
    row([number, claim, ...CANDIDATES.map(({ has }) => (needs && !has.includes(needs) ? '–' : 'passes'))]),
  );
  const lines = [
    row(['', '', ...names]),
    row(['---', '---', ...names.map(() => '---')]),
    ...capabilities,
    ...cases,
  ];
  return lines.join('\n');
}
