import { useState } from 'react';
import type { StaffAccount } from '#contract/staff.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Badge } from '../kit/state/badge.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { ROLE_WORDS } from './role-words.ts';
import { type StaffChange, useChangeStaff } from './staff-queries.ts';

export function StaffList({ staff }: { staff: readonly StaffAccount[] }) {
  return (
    <section aria-labelledby="staff-accounts" className="grid gap-4">
      <SectionTitle
        id="staff-accounts"
        note="Whatever ends a protection or changes what everybody trades takes two of them: one proposes, another approves."
      >
        Accounts
      </SectionTitle>
      <ul className="border-y">
        {staff.map((account) => (
          <StaffRow key={account.id} account={account} />
        ))}
      </ul>
    </section>
  );
}

function StaffRow({ account }: { account: StaffAccount }) {
  const [asked, setAsked] = useState<StaffChange | null>(null);
  const { email, name, role, is_own: isOwn, is_disabled: isDisabled } = account;
  const button = (label: string, change: StaffChange) => (
    <Button
      variant="secondary"
      size="small"
      aria-label={`${label}: ${email}`}
      onClick={() => setAsked(change)}
    >
      {label}
    </Button>
  );
  return (
    <li className="flex flex-wrap items-start justify-between gap-4 border-b py-5 last:border-0">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-medium wrap-anywhere">{name}</h3>
        <p className="text-sm wrap-anywhere text-ink-faint">{email}</p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Badge>{ROLE_WORDS[role].label}</Badge>
          {isOwn && <Badge tone="accent">You</Badge>}
          {isDisabled && <Badge tone="caution">Disabled</Badge>}
          {!account.has_second_factor && <Badge tone="caution">No second factor</Badge>}
        </div>
        <p className="figures mt-2 text-sm text-ink-soft">
          {account.last_used_at === null
            ? 'Has never signed in.'
            : `Last seen ${showDateTime(account.last_used_at)}.`}
        </p>
      </div>
      {!isOwn && (
        <div className="flex flex-wrap gap-3">
          {button('Take the role away', 'takeStaffRole')}
          {isDisabled ? button('Enable', 'enableAccount') : button('Disable', 'disableAccount')}
        </div>
      )}
      {asked && <ChangeDialog account={account} change={asked} onClose={() => setAsked(null)} />}
    </li>
  );
}

function ChangeDialog({
  account: { id, email, role },
  change,
  onClose,
}: {
  account: StaffAccount;
  change: StaffChange;
  onClose: () => void;
}) {
  const mutation = useChangeStaff(id);
  const { title, effect, action } = WORDS[change];
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${title} ${email}?`}
      description={effect.replace('{role}', ROLE_WORDS[role].label)}
      keep="Leave it"
      action={action}
      variant={change === 'enableAccount' ? 'primary' : 'danger'}
      busy={mutation.isPending}
      busyLabel="Saving..."
      onConfirm={() => mutation.mutate(change, { onSuccess: onClose })}
    >
      {mutation.isError && (
        <Notice tone="failure" title="Nothing changed">
          {sentenceOf(mutation.error, 'Please try again.')}
        </Notice>
      )}
    </ConfirmDialog>
  );
}

const WORDS: Readonly<Record<StaffChange, { title: string; effect: string; action: string }>> = {
  takeStaffRole: {
    title: 'Take the role from',
    effect: 'The role {role} ends, and every session of the account ends. The account stays, as a client’s.',
    action: 'Take the role away',
  },
  disableAccount: {
    title: 'Disable',
    effect: 'Every session ends, and nobody signs in with it until an admin enables it again.',
    action: 'Disable',
  },
  enableAccount: {
    title: 'Enable',
    effect: 'It signs in as before, with its password and second factor.',
    action: 'Enable',
  },
};
