// The performance fee by command: bills what the trader bills automatically, and sets how often a client is billed.
import { randomUUID } from 'node:crypto';
import { actAs } from '#records/operations/audit-log.ts';
import type { Database } from '#records/postgres/database.ts';
import { changeFeePeriodOf } from '#records/fees/fee-bills.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import { findRole } from '#records/identity/users.ts';
import { billAllDue } from '#trader/fees/bill-fees.ts';
import type { StaffCommand } from './staff-arguments.ts';
import type { StaffResult } from './staff-result.ts';

type Named<Name extends StaffCommand['name']> = Extract<StaffCommand, { name: Name }>;

export async function bill({ by }: Named<'bill'>, database: Database): Promise<StaffResult> {
  if (!(await isSupport(database, by))) return refused(`${by} is not a support account`);
  const now = (await findHeartbeat(database, 'trader'))?.marketAt ?? null;
  if (now === null) return refused('The market time is unknown: start the product first.');
  const count = await billAllDue(database, { now, newId: randomUUID, actor: `staff:${by}` });
  const lines =
    count === 0
      ? ['Nothing is due: every ended period is billed.']
      : [`${count} ${count === 1 ? 'period' : 'periods'} billed.`];
  return { ok: true, lines };
}

export async function changeFeePeriod(
  { client, length, by }: Named<'fee-period'>,
  database: Database,
): Promise<StaffResult> {
  if (!(await isSupport(database, by))) return refused(`${by} is not a support account`);
  const outcome = await database.transaction().execute(async (trx) => {
    await actAs(trx, `staff:${by}`);
    return changeFeePeriodOf(trx, client, length);
  });
  if (outcome === 'nobody') return refused(`There is no client ${client}.`);
  return { ok: true, lines: [`${client} is billed ${length} from the end of the period that runs.`] };
}

async function isSupport(database: Database, email: string): Promise<boolean> {
  return (await findRole(database, email))?.role === 'support';
}

const refused = (line: string): StaffResult => ({ ok: false, lines: [line] });
