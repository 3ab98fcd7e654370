// Every broker adapter runs the same conformance suite against its own stand-in, and docs/brokers.md shows its table.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BROKER_CONFORMANCE } from './broker-conformance.ts';
import { CAPABILITIES, type Capability, type BrokerHarness } from './conformance-case.ts';
import { openAlpacaHarness } from '../../broker/alpaca-harness.ts';
import { INTERACTIVE_BROKERS_HAS, openHarness } from '../../broker/interactive-brokers-harness.ts';
import { openPracticeHarness } from '../../broker/practice-harness.ts';
import { testDatabase } from '#tests/support/test-database.ts';

const { database } = await testDatabase();

const ADAPTERS: readonly {
  readonly name: string;
  readonly has: readonly Capability[];
  /** What is done where it lacks a capability. */
  readonly instead?: Partial<Record<Capability, string>>;
  readonly open: () => Promise<BrokerHarness & { close(): Promise<void> }>;
}[] = [
  {
    name: 'Interactive Brokers',
    has: INTERACTIVE_BROKERS_HAS,
    instead: { assignments: 'no: found by comparing positions' },
    open: () => openHarness(),
  },
  {
    name: 'Alpaca',
    has: [
      'stops',
      'fractions',
      'apart',
      'stream',
      'coinFees',
      'options',
      'assignments',
      'terms',
      'activities',
    ],
    open: openAlpacaHarness,
  },
  {
    name: 'Practice',
    has: ['commission', 'stops'],
    open: () => Promise.resolve(openPracticeHarness(database)),
  },
];

for (const { name, has, open } of ADAPTERS)
  describe(`${name} conforms to the broker port`, () => {
    let harness: BrokerHarness & { close(): Promise<void> };
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(() => harness.close());

    it('has what its column of the table says', () => {
      expect([...harness.capabilities].sort()).toEqual([...has].sort());
    });
    for (const { number, requirement, needs, run } of BROKER_CONFORMANCE)
      if (needs === undefined || has.includes(needs)) it(`${number} ${requirement}`, () => run(harness));
  });

it('matches the table in docs/brokers.md', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/brokers.md'), 'utf8');
  expect(page).toContain(table());
});

/** One row a capability and one a case; a dash where the broker lacks what the case needs. */
function table(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const names = ADAPTERS.map(({ name }) => name);
  const capabilities = Object.entries(CAPABILITIES).map(([capability, words]) =>
    row([
      '',
      words,
      ...ADAPTERS.map(({ has, instead = {} }) =>
        has.includes(capability as Capability) ? 'yes' : (instead[capability as Capability] ?? '–'),
      ),
    ]),
  );
  const cases = BROKER_CONFORMANCE.map(({ number, requirement, needs }) =>
    row([
      number,
      requirement,
      ...ADAPTERS.map(({ has }) => (needs && !has.includes(needs) ? '–' : 'passes')),
    ]),
  );
  const lines = [
    row(['', '', ...names]),
    row(['---', '---', ...names.map(() => '---')]),
    ...capabilities,
    ...cases,
  ];
  return lines.join('\n');
}
