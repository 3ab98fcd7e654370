// Rows of the broker's lists that cannot be read: one spoils no other, and only the instrument that it may be about waits.
import { beforeEach, expect, test } from 'vitest';
import type { UnreadRow } from '#engine/execution/reconciliation/unread-rows.ts';
import { parseReason } from '#records/execution/orders.ts';
import { orderReason } from '../../src/rules/reasons/order-reason.ts';
import type { ExecutionId } from '#units/identifiers.ts';
import { booksStage } from '../support/books-stage.ts';

const stage = await booksStage('ODD');
const { venue, rows, runTicks, trading, units, stop, everythingHolds, differences } = stage;

beforeEach(() => {
  venue.spoilt.clear();
  venue.oddRows = [];
});

const CREDIT: UnreadRow = {
  list: 'executions',
  key: 'combo-1',
  reason: 'price',
  clientOrderId: null,
  brokerOrderId: '99001',
  executionId: 'combo-1' as ExecutionId,
  instrument: { type: 'not_listed', name: 'IBM 2x1' },
  raw: '{"price":"-1.25"}',
};

const kept = (account: string) =>
  rows(
    `select list, key, reason, effect, symbols, raw, ended_at is not null as ended from unread_rows
     where account_id = $1 order by list, key`,
    account,
  );
const incidents = (account: string) =>
  rows(
    `select kind, symbol, facts ->> 'part' as part from incidents where account_id = $1 and ended_at is null order by kind`,
    account,
  );
const stateOf = async (account: string) =>
  (
    await rows(
      `select b.state from broker_sessions b join broker_connections c on c.id = b.connection_id
       where c.account_id = $1`,
      account,
    )
  )[0].state;
const personOf = async (id: string) => {
  const [row] = await rows(
    `select d.user_id as "user", c.id as connection, c.account_id as account
     from deployments d join broker_connections c on c.id = d.broker_connection_id where d.id = $1`,
    id,
  );
  return row;
};
const waiting = async (id: string) =>
  (
    await rows(
      `select symbol, reason_code, reason_params from orders where deployment_id = $1 and status = 'intended'`,
      id,
    )
  ).map((row) => [row.symbol, orderReason(parseReason(row)!)]);

test('a row of an instrument that nobody can hold is kept for staff, alarms nobody and stops nothing', async () => {
  const { id, account } = await trading();
  venue.oddRows = [CREDIT];
  await runTicks();
  expect(await stateOf(account)).toBe('connected');
  const { list, key, reason, raw } = CREDIT;
  const row = { list, key, reason, raw, effect: 'foreign', symbols: [] };
  expect(await kept(account)).toEqual([{ ...row, ended: false }]);
  // Nobody needs to say what it is.
  expect(await incidents(account)).toEqual([]);
  // Its other orders go on: here a second deployment of the account enters.
  const second = await stage.world.deploy(stage.long, { person: await personOf(id) });
  stage.market.closeDay();
  await runTicks();
  stage.market.openDay();
  await runTicks(2);
  expect(await units(second)).toBeGreaterThan(0);
  venue.oddRows = [];
  await runTicks();
  expect(await kept(account)).toEqual([{ ...row, ended: true }]);
  expect(await incidents(account)).toEqual([]);
  await everythingHolds();
});

test('a position that cannot be read holds its instrument alone, and is no difference', async () => {
  const { id, account } = await trading();
  venue.spoilt.add('AAA');
  await runTicks();
  await stop(id);
  await runTicks(3);
  expect(await kept(account)).toMatchObject([
    { list: 'positions', key: 'AAA', effect: 'unsure', symbols: ['AAA'], ended: false },
  ]);
  expect(await incidents(account)).toEqual([{ kind: 'instrument_unsure', symbol: 'AAA', part: 'status' }]);
  expect(await waiting(id)).toEqual([
    [
      'AAA',
      'On hold: part of what your broker reports about this instrument cannot be read. Our support looks at it; other instruments trade on.',
    ],
  ]);
  expect(await units(id)).toBeGreaterThan(0);
  expect(await differences(account)).toEqual([]);
  venue.spoilt.clear();
  await runTicks(3);
  expect(await units(id)).toBe(0);
  await everythingHolds();
});

test('an execution that cannot be read is booked once it can, and its order is never taken for absent', async () => {
  const { id, account, bought } = await trading();
  await stop(id);
  // What closes leaves as far as the broker shows it, while the purchase that is booked already cannot be read.
  venue.spoilt.add(bought.executionId);
  await runTicks();
  expect(await kept(account)).toMatchObject([{ effect: 'kept', symbols: [] }]);
  expect(await units(id)).toBe(0);

  const sale = venue.executions.findLast((one) => one.accountId === account)!.execution;
  expect(sale.side).toBe('sell');
  await everythingHolds();
});

test('a fill that cannot be read holds what would open, and its order keeps working', async () => {
  venue.matches = false;
  const account = 'ODD-FILL';
  const id = await stage.world.deploy(stage.long, { account });
  await runTicks();
  stage.market.openDay();
  await runTicks();
  venue.matches = true;
  venue.match();
  const fills = venue.executions.filter((one) => one.accountId === account);
  const fill = fills.find(({ execution }) => execution.symbol === 'AAA')!.execution;
  venue.spoilt.add(fill.executionId);
  venue.spoilt.add(fill.brokerOrderId);
  await runTicks(4);
  expect(await units(id)).toBe(0);
  expect(await differences(account)).toEqual([]);
  expect(
    await rows(`select symbol, status from orders where deployment_id = $1 order by symbol`, id),
  ).toEqual([
    { symbol: 'AAA', status: 'working' },
    { symbol: 'BBB', status: 'filled' },
  ]);
  venue.spoilt.clear();
  await runTicks(2);
  expect(await units(id)).toBeGreaterThan(0);
  await everythingHolds();
});
