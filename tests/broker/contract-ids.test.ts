// Contract ids are found once: for everyone in a process, for all processes, and over a restart.
import { expect, test } from 'vitest';
import {
  type ContractBook,
  createContractBook,
} from '#adapters/broker/interactive-brokers/market-data/contracts.ts';
import type { BrokerAnswer } from '#ports/broker.ts';
import { brokerContracts } from '#records/brokerage/broker-contracts.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { TERMS } from '#tests/support/engine/deployment.ts';
import type { Symbol } from '#units/identifiers.ts';

const { database, pool } = await testDatabase();
const AAA = 'AAA' as Symbol;
const listing = { AAA: [{ assetClass: 'STK', contracts: [{ conid: 71, exchange: 'NYSE', isUS: true }] }] };

function process(server: string) {
  let asked = 0;
  let answers: BrokerAnswer<unknown>[] = [];
  const book: ContractBook = createContractBook((symbol) => TERMS.instruments.get(symbol) ?? null, {
    store: brokerContracts(database, server),
  });
  const ask = async (): Promise<BrokerAnswer<unknown>> => {
    asked += 1;
    await new Promise((done) => setTimeout(done, 5));
    return answers.shift() ?? { outcome: 'ok', value: listing };
  };
  return {
    book,
    resolve: () => book.resolve(AAA, ask, 'open'),
    asked: () => asked,
    answerFirst: (...first: BrokerAnswer<unknown>[]) => {
      answers = first;
    },
  };
}

const FOUND = { outcome: 'ok', value: { conid: 71, secType: 'STK' } };

test('everyone who needs the same id at once waits for one look-up', async () => {
  const here = process('flight');
  expect(await Promise.all(Array.from({ length: 21 }, here.resolve))).toEqual(
    Array.from({ length: 21 }, () => FOUND),
  );
  expect(here.asked()).toBe(1);
});

test('another process, and the same one after a restart, ask the vendor nothing', async () => {
  await process('kept').resolve();
  const next = process('kept');
  expect(await next.resolve()).toEqual(FOUND);
  expect(next.asked()).toBe(0);
  const elsewhere = process('another');
  await elsewhere.resolve();
  expect(elsewhere.asked()).toBe(1);
});

test('a look-up that fails over one session is tried over the next, one at a time', async () => {
  const here = process('failing');
  here.answerFirst({ outcome: 'failed', code: 'unreachable', reason: 'silence' });
  const answers = await Promise.all([here.resolve(), here.resolve(), here.resolve()]);
  expect(answers.map(({ outcome }) => outcome)).toEqual(['failed', 'ok', 'ok']);
  expect(here.asked()).toBe(2);
});

test('an id that the vendor refused is looked up again, and one that nobody proved lately too', async () => {
  const here = process('stale');
  await here.resolve();
  await here.book.forget(AAA);
  expect(await here.resolve()).toEqual(FOUND);
  expect(here.asked()).toBe(2);
  await pool.query(`update broker_contracts set proven_at = proven_at - interval '25 hours'`);
  const next = process('stale');
  await next.resolve();
  expect(next.asked()).toBe(1);
});
