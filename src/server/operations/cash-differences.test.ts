import { afterAll, expect, test } from 'vitest';
import { adjustmentsDesk, APPROVE } from '#tests/support/adjustments-desk.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import { toMicro } from '#units/money.ts';

// Cash that nothing explains, from the desk's list to the statement that its owner reads, over HTTP.
const { app, world, rows, sue, bob, stranger, runTicks, trading, desk } = await adjustmentsDesk();
const { market, venue } = world;
afterAll(() => world.trader.close());

const PROPOSALS = '/api/operations/proposals/';
const propose = (body: object, token = sue.token) =>
  app.request({ method: 'POST', url: PROPOSALS, token, body: { action: 'explain_cash', ...body } });
const decide = (id: string, body: object, token = bob.token) =>
  app.request({ method: 'POST', url: `${PROPOSALS}${id}/decide/`, token, body });
const differenceOf = async (account: string) =>
  (await desk()).cash_differences.results.find((one) => one.account === account);
const violations = async () =>
  (await checkRecords(app.records.database)).filter(({ violations: found }) => found.length > 0);
const newest = async (account: string) =>
  (
    await rows(
      `select transfers_micro::float / 1e6 as transfers, unexplained_micro::float / 1e6 as unexplained
       from cash_statements where account_id = $1 order by date desc limit 1`,
      account,
    )
  )[0];

test('a deposit is listed at the desk, booked by two people, and explained in the statement', async () => {
  const { account } = await trading('DUCASH1');
  market.closeDay();
  venue.pay(account, toMicro(250));
  await runTicks(3);
  const found = await differenceOf(account);
  expect(found).toMatchObject({ amount: 250, currency: 'USD', proposal: null });

  const wrong = await propose({ subject: found!.id, cause: 'withdrawal', reason: 'it went out' });
  expect(wrong.status).toBe(400);
  const reason = 'the statement of the broker shows a transfer';
  const made = await propose({ subject: found!.id, cause: 'deposit', reason });
  expect(made.body).toMatchObject({ amount: 250, cause: 'deposit', reason, is_own: true, status: 'open' });
  expect((await propose({ subject: found!.id, cause: 'interest', reason })).status).toBe(409);
  expect((await desk(bob.token)).cash_differences.results).toMatchObject([
    { id: found!.id, proposal: { id: made.body.id, is_own: false } },
  ]);
  expect((await decide(made.body.id, APPROVE, sue.token)).status).toBe(403);
  expect((await decide(made.body.id, APPROVE, stranger.token)).status).toBe(404);

  expect((await decide(made.body.id, APPROVE)).body).toMatchObject({ status: 'over' });
  // The same decision, sent again after its answer was lost.
  expect((await decide(made.body.id, APPROVE)).body).toMatchObject({ status: 'over' });
  expect(await differenceOf(account)).toBeUndefined();
  expect(await newest(account)).toEqual({ transfers: 250, unexplained: 0 });
  await runTicks(3);
  expect(await differenceOf(account)).toBeUndefined();
  expect(await newest(account)).toEqual({ transfers: 250, unexplained: 0 });
  const movements = await rows(
    `select line, amount_micro::float from cash_movements where account_id = $1`,
    account,
  );
  expect(movements).toEqual([{ line: 'transfers', amount_micro: 250e6 }]);
  expect(await violations()).toEqual([]);
});

test('a proposal about another amount than there is now is void, and one that is declined books nothing', async () => {
  const { account } = await trading('DUCASH2');
  market.closeDay();
  venue.pay(account, toMicro(-10));
  await runTicks(3);
  const found = await differenceOf(account);
  const first = await propose({ subject: found!.id, cause: 'fee', reason: 'a fee for market data' });
  expect(
    (await decide(first.body.id, { decision: 'decline', reason: 'ask the broker first' })).body,
  ).toMatchObject({
    status: 'declined',
    outcome: 'ask the broker first',
  });
  const second = await propose({ subject: found!.id, cause: 'fee', reason: 'a fee for market data' });
  venue.pay(account, toMicro(-5));
  await runTicks(3);
  expect(await differenceOf(account)).toMatchObject({ amount: -15, proposal: null });
  expect((await decide(second.body.id, APPROVE)).status).toBe(409);
  expect(await rows(`select from cash_movements where account_id = $1`, account)).toEqual([]);
  expect(await differenceOf(account)).toMatchObject({ amount: -15 });
  expect(await violations()).toEqual([]);
});
