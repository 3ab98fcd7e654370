// Clients whose fee bills stay unpaid: listed for support, which decides whether to close an account. Closing pauses what
// runs and sells nothing; nothing starts or resumes until the fee is paid.
import { applyCommand } from '#engine/lifecycle/apply-command.ts';
import { lockOwnDeployment, requestStatus } from '#records/deployments/deployments.ts';
import { listOwnDeployments, listUnpaidFees, type UnpaidFee } from '#records/fees/unpaid-fees.ts';
import { findRole } from '#records/identity/users.ts';
import { actAs } from '#records/operations/audit-log.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import type { Database } from '#records/postgres/database.ts';
import { dollars } from '#rules/dollars.ts';
import { UNPAID_DAYS, unpaidStage } from '#rules/fees/unpaid-fee.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import type { StaffCommand } from './staff-arguments.ts';
import type { StaffResult } from './staff-result.ts';

export async function listUnpaid(database: Database): Promise<StaffResult> {
  const now = await marketNow(database);
  if (now === null) return CLOCK_UNKNOWN;
  const fees = await unpaidAt(database, now);
  if (fees.length === 0) return { ok: true, lines: ['No fee bill is overdue.'] };
  return { ok: true, lines: fees.map((fee) => lineOf(fee, now)) };
}

export async function closeUnpaid(
  { client, by }: Extract<StaffCommand, { name: 'close-unpaid' }>,
  database: Database,
): Promise<StaffResult> {
  if ((await findRole(database, by))?.role !== 'support') return refused(`${by} is not a support account`);
  const now = await marketNow(database);
  if (now === null) return CLOCK_UNKNOWN;
  const fees = (await unpaidAt(database, now)).filter(({ email }) => email === client);
  const [oldest] = fees;
  if (oldest === undefined) return refused(`${client} has no overdue fee bill.`);
  if (unpaidStage(oldest.dueAt, now) !== 'closable')
    return refused(
      `The oldest bill of ${client} was due on ${utcDate(oldest.dueAt)}: an account may be closed ${UNPAID_DAYS.closable} days after that.`,
    );
  const paused = await database.transaction().execute(async (trx) => {
    await actAs(trx, `staff:${by}`);
    let count = 0;
    for (const id of await listOwnDeployments(trx, oldest.userId)) {
      const deployment = await lockOwnDeployment(trx, { id, userId: oldest.userId });
      const outcome = deployment && applyCommand('pause', deployment);
      if (!outcome?.ok || outcome.requestedStatus === deployment?.requestedStatus) continue;
      await requestStatus(trx, { id: deployment!.id, status: outcome.requestedStatus });
      count += 1;
    }
    return count;
  });
  const lines = [
    `${paused} ${paused === 1 ? 'deployment' : 'deployments'} of ${client} paused. Nothing is sold.`,
    'Nothing starts or resumes until the fee is paid.',
  ];
  return { ok: true, lines };
}

async function marketNow(database: Database): Promise<Instant | null> {
  return (await findHeartbeat(database, 'trader'))?.marketAt ?? null;
}

function unpaidAt(database: Database, now: Instant): Promise<readonly UnpaidFee[]> {
  return listUnpaidFees(database, { now, paysAutomatically: false, limit: LISTED_MAX });
}

function lineOf({ billId, email, strategyName, owed, dueAt }: UnpaidFee, now: Instant): string {
  return `${billId}  due ${utcDate(dueAt)}  ${unpaidStage(dueAt, now) ?? ''}  ${email}  ${strategyName}, ${dollars(owed)}`;
}

function refused(line: string): StaffResult {
  return { ok: false, lines: [line] };
}

const LISTED_MAX = 10_000;
const CLOCK_UNKNOWN = refused('The market time is unknown: start the product first.');
