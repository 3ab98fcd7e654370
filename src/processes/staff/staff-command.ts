import { randomBytes, randomUUID } from 'node:crypto';
import { actAs } from '#records/operations/audit-log.ts';
import type { Database } from '#records/postgres/database.ts';
import { listOpenRequests } from '#records/deployments/liquidation-requests.ts';
import { countAdmins } from '#records/identity/staff-accounts.ts';
import { endEverySession } from '#records/identity/sessions.ts';
import { createStaff, findRole, takeRole } from '#records/identity/users.ts';
import { dollars } from '#rules/dollars.ts';
import { weakness } from '#server/identity/password/check-password.ts';
import { hashPassword } from '#server/identity/password/password-hash.ts';
import { invite } from '#server/staff/invite.ts';
import { instant } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import { bill, changeFeePeriod } from './bill.ts';
import { ask, listSwitches, resolve, switchOff, switchOn } from './halt-trading.ts';
import { type Linking, linkAccountTo } from './link-account.ts';
import type { StaffCommand } from './staff-arguments.ts';
import type { StaffResult } from './staff-result.ts';
import { closeUnpaid, listUnpaid } from './unpaid-fees.ts';

const LISTED_MAX = 1_000;

/** `password` is for a new account; null makes one up. */
export async function runStaffCommand(
  command: StaffCommand,
  database: Database,
  password: string | null,
  /** Opened only by the command that queries the broker. */
  openLinking: () => Promise<Linking> = () => Promise.reject(new Error('no broker is at hand')),
): Promise<StaffResult> {
  if (command.name === 'create') return create(command, database, password);
  if (command.name === 'invite') return inviteBy(command, database);
  if (command.name === 'revoke') return revoke(command, database);
  if (command.name === 'link-account') return linkAccountTo(command, database, await openLinking());
  if (command.name === 'requests') return list(database);
  if (command.name === 'kill-switches') return listSwitches(database);
  if (command.name === 'kill-switch on') return switchOn(command, database);
  if (command.name === 'kill-switch off') return switchOff(command, database);
  if (command.name === 'resolve-order') return resolve(command, database);
  if (command.name === 'bill') return bill(command, database);
  if (command.name === 'fee-period') return changeFeePeriod(command, database);
  if (command.name === 'unpaid') return listUnpaid(database);
  if (command.name === 'close-unpaid') return closeUnpaid(command, database);
  return ask(database, command.by, {
    action: 'liquidate',
    subject: command.request,
    because: command.because,
  });
}

async function create(
  { email, role, firstName }: Extract<StaffCommand, { name: 'create' }>,
  database: Database,
  password: string | null,
): Promise<StaffResult> {
  const weak = password === null ? null : weakness({ password, email, name: firstName, isStaff: true });
  if (weak !== null) return refused(`STAFF_PASSWORD: ${weak}`);
  const chosen = password ?? randomBytes(12).toString('base64url');
  const passwordHash = await hashPassword(chosen);
  const made = await database.transaction().execute(async (trx) => {
    await actAs(trx, 'staff:command line');
    return createStaff(trx, { email, passwordHash, firstName, lastName: '', role });
  });
  if (made === null) return refused(hasAccount(email));
  return done(`${email} is made, as ${role}.`, ...(password === null ? [`Its password: ${chosen}`] : []));
}

/** The first admin by the command line; everybody else by an admin. */
async function inviteBy(
  { email, role, by }: Extract<StaffCommand, { name: 'invite' }>,
  database: Database,
): Promise<StaffResult> {
  const inviter = by === null ? null : await findRole(database, by);
  if (by !== null && inviter?.role !== 'admin') return refused(`${by} is not an admin`);
  const at = instant(Date.now());
  const outcome = await database.transaction().execute(async (trx) => {
    await actAs(trx, by === null ? 'staff:command line' : `staff:${by}`);
    if (by === null && (role !== 'admin' || (await countAdmins(trx)) > 0)) return 'ask an admin';
    return invite(trx, { id: randomUUID(), email, role, by: inviter?.id ?? null, at });
  });
  if (outcome === 'ask an admin')
    return refused(
      'Only the first admin is invited without --by. Ask an admin, or say --by with their e-mail.',
    );
  if (outcome === 'has account') return refused(hasAccount(email));
  return done(`A link is on its way to ${email}. It works once within 24 hours.`);
}

const hasAccount = (email: string) =>
  `${email} has an account already, and whoever made it may not be who you mean. Name an address that nobody has registered.`;

/** The account stays, as an investor's; whoever is signed in with it is signed out. */
async function revoke(
  { email, by }: Extract<StaffCommand, { name: 'revoke' }>,
  database: Database,
): Promise<StaffResult> {
  const [staff, deciding] = [await findRole(database, email), await findRole(database, by)];
  if (deciding?.role !== 'admin') return refused(`${by} is not an admin`);
  if (staff === undefined || staff.role === 'investor') return refused(`${email} is not staff`);
  if (email === by) return refused('Nobody takes their own role away: ask another admin');
  await database.transaction().execute(async (trx) => {
    await actAs(trx, `staff:${by}`);
    await takeRole(trx, staff.id);
    await endEverySession(trx, staff.id, instant(Date.now()));
  });
  return done(`${email} is ${staff.role} no more, and is signed out everywhere.`);
}

async function list(database: Database): Promise<StaffResult> {
  const requests = await listOpenRequests(database, LISTED_MAX);
  if (requests.length === 0) return done('No open requests.');
  return done(
    ...requests.map(
      ({ id, email, strategyName, status, equityMicro, requestedAt }) =>
        `${id}  ${requestedAt.toISOString().slice(0, 10)}  ${email}  ${strategyName}, ${status}, ${dollars(parseMicro(equityMicro))}`,
    ),
  );
}

const done = (...lines: readonly string[]): StaffResult => ({ ok: true, lines });
const refused = (line: string): StaffResult => ({ ok: false, lines: [line] });
