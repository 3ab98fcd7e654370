import { randomUUID } from 'node:crypto';
import type { staffEndpoints } from '#contract/staff.ts';
import { listInvitations, withdrawInvitation as withdraw } from '#records/identity/staff-accounts.ts';
import { staffOf, transactAs } from '../http/act-as-staff.ts';
import type { Call } from '../http/call.ts';
import { notFound, refuse } from '../http/refusal.ts';
import { invite } from './invite.ts';
import { showInvitation } from './list-staff.ts';

export const inviteStaff: Call<typeof staffEndpoints.inviteStaff> = async (
  { body, request, repetitionId },
  dependencies,
) => {
  const { records, now } = dependencies;
  const admin = staffOf(request);
  const id = repetitionId ?? randomUUID();
  const wanted = { id, email: body.email.toLowerCase(), role: body.role, by: admin.id, at: now() };
  const find = async () => (await listInvitations(records.database)).find((one) => one.id === id);
  const before = await find();
  if (before !== undefined) return showInvitation(before, now());
  const outcome = await transactAs(admin, dependencies, (trx) => invite(trx, wanted));
  if (outcome === 'has account') {
    const said = 'This address has an account. Staff accounts are made anew: name an address without one.';
    return refuse('email_taken', said, { field: 'email' });
  }
  const made = await find();
  return made === undefined ? notFound() : showInvitation(made, now());
};

export const withdrawInvitation: Call<typeof staffEndpoints.withdrawInvitation> = async (
  { params, request },
  dependencies,
) => {
  const isOver = await transactAs(staffOf(request), dependencies, (trx) =>
    withdraw(trx, params.id, dependencies.now()),
  );
  return isOver ? undefined : notFound();
};
