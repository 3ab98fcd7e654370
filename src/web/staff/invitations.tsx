import { useState } from 'react';
import { STAFF_ROLES, type StaffRole } from '#rules/identity/staff-role.ts';
import type { Invitation } from '#contract/staff.ts';
import { CallError, sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { SegmentedControl } from '../kit/control/segmented-control.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { ROLE_WORDS } from './role-words.ts';
import { useInvite, useWithdrawInvitation } from './staff-queries.ts';

/** Who was asked and has not answered. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const withdraw = useWithdrawInvitation();
  return (
    <section aria-labelledby="invitations" className="grid gap-4">
      <SectionTitle id="invitations" note="A mailed link works once within 24 hours.">
        Open invitations
      </SectionTitle>
      {withdraw.isError && (
        <Notice tone="failure">
          {sentenceOf(withdraw.error, 'The invitation was not withdrawn. Please try again.')}
        </Notice>
      )}
      {invitations.length === 0 ? (
        <p className="border-y py-5 text-ink-soft">Nobody is invited at the moment.</p>
      ) : (
        <ul className="border-y">
          {invitations.map(({ id, email, role, ...invitation }) => (
            <li
              key={id}
              className="flex flex-wrap items-start justify-between gap-4 border-b py-5 last:border-0"
            >
              <div className="min-w-0 flex-1 basis-72">
                <h3 className="font-medium wrap-anywhere">{email}</h3>
                <p className="text-sm text-ink-soft">
                  {ROLE_WORDS[role].label}, invited by{' '}
                  <span className="wrap-anywhere">{invitation.invited_by ?? 'the command line'}</span>,{' '}
                  {showDateTime(invitation.invited_at)}. {linkWords(invitation)}
                </p>
              </div>
              <Button
                variant="secondary"
                size="small"
                busy={withdraw.isPending && withdraw.variables === id}
                busyLabel="Withdrawing..."
                aria-label={`Withdraw: ${email}`}
                onClick={() => withdraw.mutate(id)}
              >
                Withdraw
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function linkWords({
  expires_at: until,
  is_expired: isExpired,
}: Pick<Invitation, 'expires_at' | 'is_expired'>) {
  if (until === null) return 'The mail has not left yet.';
  return isExpired ? 'The link has expired: invite again.' : `The link works until ${showDateTime(until)}.`;
}

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useInvite();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<StaffRole>('support');
  const sentence = invite.isError ? sentenceOf(invite.error, 'Nobody was invited. Please try again.') : null;
  const isAtField = invite.error instanceof CallError && invite.error.field === 'email';
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Invite somebody"
      description="They get a link by e-mail, choose a password and set up a second factor. Nobody who has an account becomes staff with it."
      keep="Not yet"
      action="Send the invitation"
      variant="primary"
      busy={invite.isPending}
      busyLabel="Sending..."
      disabled={!/^\S+@\S+\.\S+$/.test(email.trim())}
      onConfirm={() => invite.mutate({ email: email.trim(), role }, { onSuccess: onClose })}
    >
      <div className="grid gap-5">
        <Field label="Email Address" error={isAtField ? sentence : null}>
          {(wiring) => (
            <TextInput
              {...wiring}
              type="email"
              autoComplete="off"
              value={email}
              onChange={(event) => {
                setEmail(event.target.value);
                invite.reset();
              }}
            />
          )}
        </Field>
        <div className="-mx-1 overflow-x-auto px-1">
          <SegmentedControl
            label="Role"
            value={role}
            onChange={setRole}
            options={STAFF_ROLES.map((value) => ({ value, label: ROLE_WORDS[value].label }))}
          />
        </div>
        <p aria-live="polite" className="text-sm text-ink-soft">
          {ROLE_WORDS[role].label} {ROLE_WORDS[role].does}.
        </p>
        {sentence !== null && !isAtField && <Notice tone="failure">{sentence}</Notice>}
      </div>
    </ConfirmDialog>
  );
}
