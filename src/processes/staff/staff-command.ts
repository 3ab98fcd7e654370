import { randomBytes, randomUUID } from 'node:crypto';
import { actAs } from '#records/audit-log.ts';
import type { Database } from '#records/database.ts';
import { findHeartbeat } from '#records/heartbeats.ts';
import { decideRequest, listOpenRequests, lockOpenRequest } from '#records/liquidation-requests.ts';
import { insertNotifications } from '#records/notifications-outbox.ts';
import { findRole, saveStaff } from '#records/users.ts';
import { actionRefusal } from '#rules/deployments/offered-actions.ts';
import { dollars } from '#rules/dollars.ts';
import { noticeText } from '#rules/notifications/notice-text.ts';
import { hashPassword } from '#server/identity/password-hash.ts';
import type { NotificationId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import { bill, changeFeePeriod } from './bill.ts';
import { listSwitches, settle, switchOff, switchOn } from './halt-trading.ts';
import type { StaffCommand } from './staff-arguments.ts';
import type { StaffResult } from './staff-result.ts';

const PASSWORD_LENGTH_MIN = 8;

/** `password` is for a new account; null makes one up. */
export async function runStaffCommand(
  command: StaffCommand,
  database: Database,
  password: string | null,
): Promise<StaffResult> {
  if (command.name === 'create') return create(command, database, password);
  if (command.name === 'requests') return list(database);
  if (command.name === 'kill-switches') return listSwitches(database);
  if (command.name === 'kill-switch on') return switchOn(command, database);
  if (command.name === 'kill-switch off') return switchOff(command, database);
  if (command.name === 'settle-order') return settle(command, database);
  if (command.name === 'bill') return bill(command, database);
  if (command.name === 'fee-period') return changeFeePeriod(command, database);
  return decide(command, database);
}

async function create(
  { email, role, firstName }: Extract<StaffCommand, { name: 'create' }>,
  database: Database,
  password: string | null,
): Promise<StaffResult> {
  if (password !== null && password.length < PASSWORD_LENGTH_MIN)
    return refused(`STAFF_PASSWORD needs at least ${PASSWORD_LENGTH_MIN} characters`);
  const chosen = password ?? randomBytes(12).toString('base64url');
  const passwordHash = await hashPassword(chosen);
  const outcome = await database.transaction().execute(async (trx) => {
    await actAs(trx, 'staff:command line');
    return saveStaff(trx, { email, passwordHash, firstName, lastName: '', role });
  });
  if (outcome === 'promoted') return done(`${email} is ${role} now; its password stays as it is.`);
  return done(`${email} is made, as ${role}.`, ...(password === null ? [`Its password: ${chosen}`] : []));
}

async function list(database: Database): Promise<StaffResult> {
  const requests = await listOpenRequests(database);
  if (requests.length === 0) return done('No request is open.');
  return done(
    ...requests.map(
      ({ id, email, strategyName, status, equityMicro, requestedAt }) =>
        `${id}  ${requestedAt.toISOString().slice(0, 10)}  ${email}  ${strategyName}, ${status}, ${dollars(parseMicro(equityMicro))}`,
    ),
  );
}

async function decide(
  command: Extract<StaffCommand, { name: 'approve' | 'decline' }>,
  database: Database,
): Promise<StaffResult> {
  const staff = await findRole(database, command.by);
  if (staff?.role !== 'support') return refused(`${command.by} is not a support account`);
  const marketAt = (await findHeartbeat(database, 'trader'))?.marketAt ?? null;
  const at = instant(Date.now());
  return database.transaction().execute(async (trx) => {
    await actAs(trx, `staff:${command.by}`);
    const request = await lockOpenRequest(trx, command.request);
    if (!request) return refused('There is no such open request; `requests` lists them.');
    const { strategyName, userId, deploymentId } = request;
    if (command.name === 'approve') {
      const refusal = actionRefusal('liquidate', request.status);
      if (refusal !== null) return refused(`It cannot be liquidated now: ${refusal} Decline the request.`);
      await decideRequest(trx, request, { status: 'approved', reason: null, by: staff.id, at });
      return done(
        `Approved: the trader sells ${strategyName} of ${request.email}, which ends as liquidated.`,
      );
    }
    await decideRequest(trx, request, { status: 'declined', reason: command.because, by: staff.id, at });
    const kind = 'liquidation_declined';
    await insertNotifications(trx, [
      {
        id: randomUUID() as string as NotificationId,
        userId,
        deploymentId,
        kind,
        ...noticeText({ kind, strategyName, because: command.because }),
        cause: `${kind}:${request.id}`,
        at: marketAt ?? at,
      },
    ]);
    return done(`Declined: ${request.email} is told why.`);
  });
}

const done = (...lines: readonly string[]): StaffResult => ({ ok: true, lines });
const refused = (line: string): StaffResult => ({ ok: false, lines: [line] });
