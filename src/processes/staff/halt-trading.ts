// How staff intervene in trading: kill switches, and orders whose fate only staff can determine.
import { randomUUID } from 'node:crypto';
import { actAs } from '#records/operations/audit-log.ts';
import type { Database } from '#records/postgres/database.ts';
import { listKillSwitches } from '#records/operations/kill-switches.ts';
import { findUnconfirmedOrderId } from '#records/execution/order-resolutions.ts';
import { findRole } from '#records/identity/users.ts';
import { makeProposal, UNSAID, type Wanted } from '#server/operations/proposals/make-proposal.ts';
import { turnOnSwitch } from '#server/operations/kill-switches/turn-on-switch.ts';
import type { StaffCommand } from './staff-arguments.ts';
import type { StaffResult } from './staff-result.ts';

type Named<Name extends StaffCommand['name']> = Extract<StaffCommand, { name: Name }>;

export async function listSwitches(database: Database): Promise<StaffResult> {
  const switches = await listKillSwitches(database);
  if (switches.length === 0) return { ok: true, lines: ['No kill switch is on.'] };
  const lines = switches.map(
    ({ id, scope, name, because, setBy, setAt, cancelsWorking }) =>
      `${id}  ${setAt.toISOString()}  ${scope}${name === '' ? '' : ` ${name}`}${cancelsWorking ? ', cancels' : ''}  by ${setBy}: ${because}`,
  );
  return { ok: true, lines };
}

export async function switchOn(command: Named<'kill-switch on'>, database: Database): Promise<StaffResult> {
  const { scope, target: name, by, because, cancelsWorking } = command;
  if (!(await isSupport(database, by))) return refused(`${by} is not a support account`);
  const wanted = { id: randomUUID(), scope, name, cancelsWorking: false, because, by };
  const turned = await turnOnSwitch(database, wanted);
  if (turned.outcome === 'no such target') return refused(`There is no ${scope} "${name}".`);
  if (turned.outcome !== 'on') return refused('It is already on; see `kill-switch list`.');
  const { deployments } = turned.killSwitch;
  const on = `On: ${wanted.id}. ${deployments} deployments send no more orders.`;
  if (!cancelsWorking) return { ok: true, lines: [on] };
  const { ok, lines } = await ask(database, by, { action: 'cancel_orders', subject: wanted.id, because });
  return { ok, lines: [on, ...lines] };
}

/** The command line asks; another member of support decides at the desk. */
export function switchOff(
  { id, by, because }: Named<'kill-switch off'>,
  database: Database,
): Promise<StaffResult> {
  return ask(database, by, { action: 'lift_halt', subject: id, because });
}

export async function resolve(command: Named<'resolve-order'>, database: Database): Promise<StaffResult> {
  const { by, because, brokerOrderId, clientOrderId } = command;
  const orderId = await findUnconfirmedOrderId(database, clientOrderId);
  if (orderId === undefined) return refused('There is no unconfirmed order with this ID.');
  return ask(database, by, { action: 'resolve_order', subject: orderId, because, brokerOrderId });
}

type Asked = Pick<Wanted, 'action' | 'subject' | 'because'> & Partial<Pick<Wanted, 'brokerOrderId'>>;

/** Proposes it in the name of a support account, for a second person to approve at the desk. */
export async function ask(database: Database, by: string, asked: Asked): Promise<StaffResult> {
  const staff = await findRole(database, by);
  if (staff?.role !== 'support') return refused(`${by} is not a support account`);
  const id = randomUUID();
  const no = await database.transaction().execute(async (trx) => {
    await actAs(trx, `staff:${by}`);
    return makeProposal(trx, { ...UNSAID, ...asked, id, proposedBy: staff.id });
  });
  if (no?.code === 'not_found') return refused('There is nothing with this ID.');
  if (no !== null) return refused(no.message);
  return {
    ok: true,
    lines: [`Proposed: ${id}. A second person of support approves it at the operations desk.`],
  };
}

async function isSupport(database: Database, email: string): Promise<boolean> {
  return (await findRole(database, email))?.role === 'support';
}

const refused = (line: string): StaffResult => ({ ok: false, lines: [line] });
