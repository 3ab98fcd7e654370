// How staff intervene in trading: kill switches, and orders whose fate only staff can determine.
import { randomUUID } from 'node:crypto';
import { actAs } from '#records/operations/audit-log.ts';
import type { Database } from '#records/postgres/database.ts';
import { liftKillSwitch, listKillSwitches } from '#records/operations/kill-switches.ts';
import { lockUnconfirmedOrder, resolveOrder } from '#records/execution/order-resolutions.ts';
import { findRole } from '#records/identity/users.ts';
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
  const wanted = { id: randomUUID(), scope, name, cancelsWorking, because, by };
  const turned = await turnOnSwitch(database, wanted);
  if (turned.outcome === 'no such target') return refused(`There is no ${scope} "${name}".`);
  if (turned.outcome !== 'on') return refused('It is already on; see `kill-switch list`.');
  const { deployments } = turned.killSwitch;
  return { ok: true, lines: [`On: ${wanted.id}. ${deployments} deployments send no more orders.`] };
}

export async function switchOff(
  { id, by }: Named<'kill-switch off'>,
  database: Database,
): Promise<StaffResult> {
  if (!(await isSupport(database, by))) return refused(`${by} is not a support account`);
  const outcome = await database.transaction().execute(async (trx) => {
    await actAs(trx, `staff:${by}`);
    return liftKillSwitch(trx, { id, by });
  });
  if (outcome === 'not on') return refused('There is no active switch with this ID; see `kill-switch list`.');
  return { ok: true, lines: ['Lifted. Orders are sent again where no other switch is on.'] };
}

export async function resolve(command: Named<'resolve-order'>, database: Database): Promise<StaffResult> {
  const { by, because, brokerOrderId, clientOrderId } = command;
  if (!(await isSupport(database, by))) return refused(`${by} is not a support account`);
  return database.transaction().execute(async (trx) => {
    await actAs(trx, `staff:${by}`);
    const orderId = await lockUnconfirmedOrder(trx, clientOrderId);
    if (orderId === undefined) return refused('There is no unconfirmed order with this ID.');
    await resolveOrder(trx, { orderId, brokerOrderId, because, decidedBy: by });
    return { ok: true, lines: ['Recorded. The trader applies it at its next check of the broker.'] };
  });
}

async function isSupport(database: Database, email: string): Promise<boolean> {
  return (await findRole(database, email))?.role === 'support';
}

const refused = (line: string): StaffResult => ({ ok: false, lines: [line] });
