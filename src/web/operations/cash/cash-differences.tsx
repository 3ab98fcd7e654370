import { useState } from 'react';
import type { CashDifference, CashProposal } from '#contract/operations/cash.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { Button } from '../../kit/control/button.tsx';
import { Field } from '../../kit/control/field.tsx';
import { Select } from '../../kit/control/select.tsx';
import { showDate, showDateTime, showMoney } from '../../kit/figure/show-figure.ts';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { DeclineDialog } from '../adjustments/decline-dialog.tsx';
import { Facts } from '../facts.tsx';
import { NotDecided } from '../not-decided.tsx';
import { hasReason, ReasonField } from '../reason-field.tsx';
import { WaitingList } from '../waiting-list.tsx';
import { useDecideCash, useProposeCash } from './cash-queries.ts';

/** Accounts whose cash is not what is known to have moved. */
export function CashDifferences({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="cash-differences"
      title="Cash differences"
      note="Compare the account’s cash statement with the broker’s. What two people agree on is booked as the client’s; no deployment changes."
      none="All cash is explained."
      list={desk.cash_differences}
    >
      {desk.cash_differences.results.map((difference) => (
        <DifferenceRow key={difference.id} difference={difference} />
      ))}
    </WaitingList>
  );
}

type Dialog = 'propose' | 'approve' | 'decline';

function DifferenceRow({ difference }: { difference: CashDifference }) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { account, broker_name: broker, clients, amount, currency, date, since, proposal } = difference;
  const close = () => setDialog(null);
  const about = `${showMoney(amount, { sign: true })} in ${account}`;
  const button = (label: string, opens: Dialog) => (
    <Button
      variant="secondary"
      size="small"
      aria-label={`${label}: ${about}`}
      onClick={() => setDialog(opens)}
    >
      {label}
    </Button>
  );
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="font-medium">{about}</h3>
          <p className="text-sm wrap-anywhere text-ink-faint">
            {broker}, {clients.join(', ')}
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          {proposal === null && button('Explain', 'propose')}
          {proposal !== null && button(proposal.is_own ? 'Withdraw' : 'Decline', 'decline')}
          {proposal !== null && !proposal.is_own && button('Approve', 'approve')}
        </div>
      </div>
      <Facts
        facts={[
          ['Currency', currency],
          ['Session', showDate(date)],
          ['Open since', showDateTime(since)],
        ]}
      />
      {proposal !== null && (
        <p className="text-sm text-ink-soft">
          {proposal.proposed_by} proposes: {CAUSE_LABELS[proposal.cause]}, because {proposal.reason}.
        </p>
      )}
      {dialog === 'propose' && <ProposeDialog difference={difference} about={about} onClose={close} />}
      {dialog === 'approve' && proposal !== null && <ApproveDialog proposal={proposal} onClose={close} />}
      {dialog === 'decline' && proposal !== null && <DeclineProposal proposal={proposal} onClose={close} />}
    </li>
  );
}

function ProposeDialog({
  difference: { id, amount },
  about,
  onClose,
}: {
  difference: CashDifference;
  about: string;
  onClose: () => void;
}) {
  const propose = useProposeCash();
  const causes = CAUSES.filter((cause) => cause !== (amount > 0 ? 'withdrawal' : 'deposit'));
  const [cause, setCause] = useState<CashProposal['cause']>(causes[0]!);
  const [reason, setReason] = useState('');
  const offered = causes.filter((one) => one !== 'fee' || amount < 0);
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Explain ${about}`}
      description="Nothing is booked until a second person approves it."
      keep="Not yet"
      action="Propose"
      busy={propose.isPending}
      busyLabel="Proposing..."
      disabled={!hasReason(reason)}
      variant="primary"
      onConfirm={() => propose.mutate({ difference: id, cause, reason }, { onSuccess: onClose })}
    >
      <div className="grid gap-5">
        <Field label="What it was">
          {(wiring) => (
            <Select
              {...wiring}
              value={cause}
              onChange={(event) => setCause(offered.find((one) => one === event.target.value) ?? cause)}
              options={offered.map((value) => ({ value, label: CAUSE_LABELS[value] }))}
            />
          )}
        </Field>
        <ReasonField
          label="Why"
          hint="Recorded at the operations desk and in the audit log."
          placeholder="the broker’s statement shows it"
          value={reason}
          onChange={setReason}
        />
        {propose.isError && <NotDecided error={propose.error} />}
      </div>
    </ConfirmDialog>
  );
}

type DialogProps = { proposal: CashProposal; onClose: () => void };

function ApproveDialog({ proposal, onClose }: DialogProps) {
  const decide = useDecideCash(proposal.id);
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Book ${showMoney(proposal.amount, { sign: true })}?`}
      description={`${CAUSE_LABELS[proposal.cause]}, because ${proposal.reason}. It is the client’s: no deployment’s cash changes. This cannot be undone.`}
      keep="Not yet"
      action="Approve"
      busy={decide.isPending}
      busyLabel="Approving..."
      onConfirm={() => decide.mutate({ decision: 'approve' }, { onSuccess: onClose })}
    >
      {decide.isError && <NotDecided error={decide.error} />}
    </ConfirmDialog>
  );
}

function DeclineProposal({ proposal, onClose }: DialogProps) {
  const decide = useDecideCash(proposal.id);
  const verb = proposal.is_own ? 'Withdraw' : 'Decline';
  return (
    <DeclineDialog
      title={`${verb} this proposal?`}
      description="Nothing is booked, and you can propose something else."
      verb={verb}
      reasonHint="Recorded at the operations desk and in the audit log."
      reasonPlaceholder="the broker is still investigating"
      decision={decide}
      onDecline={(reason) => decide.mutate({ decision: 'decline', reason }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

const CAUSE_LABELS: Readonly<Record<CashProposal['cause'], string>> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  dividend: 'Dividend on the client’s own holdings',
  interest: 'Interest',
  fee: 'Fee of the broker',
  apart: 'Keep apart, not attributed',
};

const CAUSES = ['deposit', 'withdrawal', 'dividend', 'interest', 'fee', 'apart'] as const;
