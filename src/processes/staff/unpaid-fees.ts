// Clients whose fee bills stay unpaid: listed for support. Closing an account is proposed here and approved by another person at
// the desk; it pauses what runs and sells nothing.
import { listUnpaidFees, type UnpaidFee } from '#records/fees/unpaid-fees.ts';
import { findRole } from '#records/identity/users.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import type { Database } from '#records/postgres/database.ts';
import { dollars } from '#rules/dollars.ts';
import { unpaidStage } from '#rules/fees/unpaid-fee.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import { ask } from './halt-trading.ts';
import type { StaffCommand } from './staff-arguments.ts';
import type { StaffResult } from './staff-result.ts';

export async function listUnpaid(database: Database): Promise<StaffResult> {
  const now = (await findHeartbeat(database, 'trader'))?.marketAt ?? null;
  if (now === null) return refused('The market time is unknown: start the product first.');
  const fees = await listUnpaidFees(database, { now, paysAutomatically: false, limit: LISTED_MAX });
  if (fees.length === 0) return { ok: true, lines: ['No fee bill is overdue.'] };
  return { ok: true, lines: fees.map((fee) => lineOf(fee, now)) };
}

export async function closeUnpaid(
  { client, by, because }: Extract<StaffCommand, { name: 'close-unpaid' }>,
  database: Database,
): Promise<StaffResult> {
  const owner = await findRole(database, client);
  if (owner === undefined) return refused(`${client} has no account.`);
  return ask(database, by, { action: 'close_unpaid', subject: owner.id, because });
}

function lineOf({ billId, email, strategyName, owed, dueAt }: UnpaidFee, now: Instant): string {
  return `${billId}  due ${utcDate(dueAt)}  ${unpaidStage(dueAt, now) ?? ''}  ${email}  ${strategyName}, ${dollars(owed)}`;
}

function refused(line: string): StaffResult {
  return { ok: false, lines: [line] };
}

const LISTED_MAX = 10_000;
