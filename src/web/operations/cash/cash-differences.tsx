import { useState } from 'react';
import type { CashDifference } from '#contract/operations/cash.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import type { Proposal } from '#contract/operations/proposal.ts';
import { Field } from '../../kit/control/field.tsx';
import { Select } from '../../kit/control/select.tsx';
import { showDate, showDateTime, showMoney } from '../../kit/figure/show-figure.ts';
import { Facts } from '../facts.tsx';
import { SubjectRow } from '../incidents/subject-row.tsx';
import { ProposeDialog } from '../proposals/propose-dialog.tsx';
import { usePropose } from '../proposals/proposal-queries.ts';
import { WaitingList } from '../waiting-list.tsx';

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

function DifferenceRow({ difference }: { difference: CashDifference }) {
  const [open, setOpen] = useState<string | null>(null);
  const { account, broker_name: broker, clients, amount, currency, date, since, proposal } = difference;
  const about = `${showMoney(amount, { sign: true })} in ${account}`;
  const cause = proposal?.cause ?? null;
  const does = cause === null ? 'an explanation' : `“${CAUSE_LABELS[cause]}”`;
  return (
    <SubjectRow
      about={about}
      below={`${broker}, ${clients.join(', ')}`}
      proposal={proposal}
      open={open}
      onOpen={setOpen}
      approval={{
        does,
        title: `Book ${showMoney(amount, { sign: true })} as ${does}?`,
        effect: 'It is the client’s: no deployment’s cash changes. This cannot be undone.',
      }}
      actions={[
        proposal === null
          ? {
              label: 'Explain',
              dialog: <ExplainDialog difference={difference} about={about} onClose={() => setOpen(null)} />,
            }
          : null,
      ]}
    >
      <Facts
        facts={[
          ['Currency', currency],
          ['Session', showDate(date)],
          ['Open since', showDateTime(since)],
        ]}
      />
    </SubjectRow>
  );
}

function ExplainDialog({
  difference: { id, amount },
  about,
  onClose,
}: {
  difference: CashDifference;
  about: string;
  onClose: () => void;
}) {
  const propose = usePropose();
  const causes = CAUSES.filter((cause) => cause !== (amount > 0 ? 'withdrawal' : 'deposit'));
  const [cause, setCause] = useState<Cause>(causes[0]!);
  const offered = causes.filter((one) => one !== 'fee' || amount < 0);
  return (
    <ProposeDialog
      title={`Explain ${about}`}
      description="Nothing is booked until a second person approves it."
      action="Propose"
      placeholder="the broker’s statement shows it"
      mutation={propose}
      onConfirm={(reason) =>
        propose.mutate({ action: 'explain_cash', subject: id, cause, reason }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
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
    </ProposeDialog>
  );
}

type Cause = NonNullable<Proposal['cause']>;

const CAUSE_LABELS: Readonly<Record<Cause, string>> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  dividend: 'Dividend on the client’s own holdings',
  interest: 'Interest',
  fee: 'Fee of the broker',
  apart: 'Keep apart, not attributed',
};

const CAUSES = ['deposit', 'withdrawal', 'dividend', 'interest', 'fee', 'apart'] as const;
