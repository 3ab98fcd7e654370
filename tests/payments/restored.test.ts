// The records are restored to before payments were taken; the payment service knows of them. Nobody pays twice, and what was never taken
// is not lost.
import { expect, test } from 'vitest';
import { markRestoration } from '#records/recovery/restorations.ts';
import { addCard } from '#sandbox/stripe/books.ts';
import { collectFees } from '#server/fees/collect-fees.ts';
import { rememberRows } from '#tests/support/go-back.ts';
import { renewPlans } from '#tests/support/renew-plans.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import { unpaidFee } from '#tests/support/unpaid-fee.ts';
import { DAY_MS, instant } from '#units/instant.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { numberOf, stripeDesk } from './stripe-desk.ts';

const app = await stripeDesk();
const { records, dependencies, world, books, begin, save, choose, payer, takenOf, customerOf } = app;

test('a renewal and a fee that were taken after the restored moment are found and booked; those that were not are taken once', {
  timeout: 90_000,
}, async () => {
  const [paid, declined] = [await payer(), await payer()];
  for (const person of [paid, declined]) await choose(person, 'pro');
  const { person: owner, deploymentId } = await newDeployment(app);
  await save(owner);
  const bill = await unpaidFee(records, deploymentId, { daysAgo: 1 });
  await records.pool.query(
    `insert into heartbeats (process, beat_at, market_at, details) values ('trader', now(), now() + interval '1 hour', '{}')`,
  );
  await records.pool.query(`update users set pays_fees_automatically = true where id = $1`, [owner.id]);
  const goBack = await rememberRows(records);

  addCard(books, await customerOf(declined.id), numberOf('declined'));
  world.now = instant(begin + 32 * DAY_MS);
  await renewPlans(dependencies);
  await collectFees(dependencies);
  const taken = async () => [await takenOf(paid.id), await takenOf(declined.id), await takenOf(owner.id)];
  expect(await taken()).toEqual([15_800, 7_900, 30_000]);

  await goBack();
  await markRestoration(records.database, wallInstant(Date.now()), { stated: true });
  expect((await paymentsOfUser(paid.id)).length).toBe(1);
  addCard(books, await customerOf(declined.id), numberOf('pays'));
  // Each account is compared with its broker first.
  await records.pool.query('delete from unsettled_connections');
  for (let look = 0; look < 2; look++) {
    await renewPlans(dependencies);
    await collectFees(dependencies);
  }
  expect(await taken()).toEqual([15_800, 15_800, 30_000]);
  for (const person of [paid, declined])
    expect((await paymentsOfUser(person.id)).map(({ kind }) => kind)).toEqual(['start', 'renewal']);
  const { rows } = await records.pool.query(
    `select amount_micro::int8 / 1000000 as dollars from fee_payments where bill_id = $1`,
    [bill],
  );
  expect(rows).toEqual([{ dollars: '300' }]);
});

async function paymentsOfUser(id: string): Promise<{ kind: string }[]> {
  const { rows } = await records.pool.query<{ kind: string }>(
    `select kind from payments where user_id = $1 order by paid_at`,
    [id],
  );
  return rows;
}
