import { expect, test } from 'vitest';
import { optionInstrument, parseOption } from '#engine/market/option-contract.ts';
import { commitStrategy, storeMarket } from '#tests/support/committed-strategy.ts';
import { SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import type { Symbol } from '#units/identifiers.ts';
import { saveInstruments } from '../market/instruments.ts';
import { listEvidenceSeries } from './evidence-series.ts';

const { database, pool } = await testDatabase();
const bars = await storeMarket(database);
await commitStrategy(database, { slug: 'evidence', committedAt: bars[499]!.closedAt });

test('contracts that never had a bar cost the database nothing each', async () => {
  const share = SAMPLE_SYMBOLS[0]!;
  const contracts = Array.from({ length: 300 }, (_, i) =>
    optionInstrument(parseOption(`${share}.270115C${i + 1}` as Symbol)!),
  );
  await saveInstruments(database, contracts, 'sandbox');
  let asked = 0;
  pool.on('acquire', () => {
    asked += 1;
  });
  const counts = { [share]: 100, ...Object.fromEntries(contracts.map(({ symbol }) => [symbol, 0])) };
  const read = [];
  const none = { scores: null, history: () => Promise.reject(new Error('no files')) };
  for await (const one of listEvidenceSeries(database, { source: 'sandbox', counts }, none)) read.push(one);
  expect(read).toHaveLength(301);
  expect(read.find(({ instrument }) => instrument.symbol === share)!.close).toHaveLength(100);
  expect(asked).toBeLessThan(10);
});

test('a contract that was listed after the instruments were written is what its symbol says', async () => {
  const share = SAMPLE_SYMBOLS[0]!;
  const contract = `${share}.280121C50` as Symbol;
  const counts = { [share]: 100, [contract]: 0 };
  const none = { scores: null, history: () => Promise.reject(new Error('no files')) };
  const read = [];
  for await (const one of listEvidenceSeries(database, { source: 'sandbox', counts }, none)) read.push(one);
  expect(read.map(({ instrument }) => instrument.symbol)).toEqual([share, contract]);
  expect(read[1]!.instrument).toEqual(optionInstrument(parseOption(contract)!));
});
