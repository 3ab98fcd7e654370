// Every market feed takes the same exam, and docs/market-data.md shows its table.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BAR_CASES } from './bar-cases.ts';
import { CALENDAR_CASES } from './calendar-cases.ts';
import { COIN_CASES } from './coin-cases.ts';
import { FEED_CAPABILITIES, type FeedCapability, type FeedHarness } from './feed-case.ts';
import { FEEDS } from './feed-columns.ts';
import { MARKET_CASES } from './market-cases.ts';
import { OPTION_CASES } from './option-cases.ts';
import { PART_CASES } from './part-cases.ts';
import { STREAM_CASES } from './stream-cases.ts';

const EXAM = [
  ...MARKET_CASES,
  ...BAR_CASES,
  ...CALENDAR_CASES,
  ...STREAM_CASES,
  ...COIN_CASES,
  ...OPTION_CASES,
  ...PART_CASES,
];

for (const column of FEEDS)
  describe(`${column.name} conforms to the market data port`, () => {
    let harness: FeedHarness & { close(): Promise<void> };
    beforeEach(async () => {
      harness = await column.open();
    });
    afterEach(() => harness.close());

    for (const { number, requirement, needs, run } of EXAM)
      if (needs === undefined || column.has.includes(needs))
        it(`${number} ${requirement}`, () => run(harness, column));
  });

it('matches the table in docs/market-data.md', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/market-data.md'), 'utf8');
  expect(page).toContain(table());
});

function table(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const capabilities = Object.entries(FEED_CAPABILITIES).map(([capability, words]) =>
    row(['', words, ...FEEDS.map(({ has }) => (has.includes(capability as FeedCapability) ? 'yes' : '–'))]),
  );
  const cases = EXAM.map(({ number, requirement, needs }) =>
    row([number, requirement, ...FEEDS.map(({ has }) => cellOf(needs, has))]),
  );
  const head = [
    row(['', '', ...FEEDS.map(({ name }) => name)]),
    row(['---', '---', ...FEEDS.map(() => '---')]),
  ];
  return [...head, ...capabilities, ...cases].join('\n');
}

/** A feed that only checks another lacks nothing where the first one is asked. */
function cellOf(needs: FeedCapability | undefined, has: readonly FeedCapability[]): string {
  if (needs === undefined || has.includes(needs)) return 'passes';
  return needs === 'first' && has.includes('second') ? 'not needed' : '–';
}
