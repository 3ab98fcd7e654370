// A deployment that a person made over HTTP, billed for a month in which it earned, and for one in which it did not.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { upsertEquityMarks } from '#records/portfolio/equity-marks.ts';
import { postTransaction } from '#records/portfolio/ledger.ts';
import { billAllDue } from '#trader/fees/bill-fees.ts';
import type { DeploymentId } from '../../src/units/identifiers.ts';
import { DAY_MS, type Instant, instant, utcDate } from '../../src/units/instant.ts';
import { type Micro, toMicro } from '../../src/units/money.ts';
import type { TestApp } from './test-app.ts';
import { type DeployedPerson, newDeployment } from './test-deployment.ts';

const INVESTED = 10_000;

export async function billedDeployment(app: TestApp, earned = 1_000): Promise<DeployedPerson> {
  const deployed = await newDeployment(app);
  const { database } = app.records;
  const id = deployed.deploymentId as DeploymentId;
  const at = app.world.marketNow;
  const amount = toMicro(earned);
  await database.transaction().execute(async (trx) => {
    await trx.selectFrom('deployments').select('id').where('id', '=', id).forUpdate().execute();
    await postTransaction(trx, {
      deploymentId: id,
      kind: 'adjustment',
      cause: `test:${id}`,
      at,
      entries: [
        { account: 'cash', amount },
        { account: 'realized', amount: -amount as Micro },
      ],
    });
    await sql`update deployments set cash_micro = cash_micro + ${amount}, equity_micro = equity_micro + ${amount},
      realized_micro = realized_micro + ${amount} where id = ${id}`.execute(trx);
    const equity = toMicro(INVESTED + earned);
    await upsertEquityMarks(trx, [
      {
        deploymentId: id,
        date: utcDate(at),
        at,
        cash: equity,
        positions: 0 as Micro,
        equity,
        holdings: new Map(),
        benchmark: null,
        follows: true,
      },
    ]);
  });
  await billAllDue(database, { now: monthsLater(at, 2), newId: randomUUID });
  return deployed;
}

const LONGEST_MONTH_DAYS = 31;
const monthsLater = (at: Instant, months: number): Instant =>
  instant(at + months * LONGEST_MONTH_DAYS * DAY_MS);
