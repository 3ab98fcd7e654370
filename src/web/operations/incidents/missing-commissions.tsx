import { useState } from 'react';
import type { MissingCommission } from '#contract/operations/incident-subjects.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { Field } from '../../kit/control/field.tsx';
import { TextInput } from '../../kit/control/text-input.tsx';
import { showDateTime, showMoney, showQuantity } from '../../kit/figure/show-figure.ts';
import { Facts } from '../facts.tsx';
import { WaitingList } from '../waiting-list.tsx';
import { usePropose } from '../proposals/proposal-queries.ts';
import { ProposeDialog } from '../proposals/propose-dialog.tsx';
import { SubjectRow } from './subject-row.tsx';

/** Fills with our estimate, because the broker does not say what they cost. */
export function MissingCommissions({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="missing-commissions"
      title="Missing commissions"
      note="Enter the figure of the broker’s confirmation. If the broker reports another one later, that one is booked."
      none="No broker owes us a commission."
      list={desk.missing_commissions}
    >
      {desk.missing_commissions.results.map((fill) => (
        <FillRow key={`${fill.account} ${fill.subject}`} fill={fill} />
      ))}
    </WaitingList>
  );
}

function FillRow({ fill }: { fill: MissingCommission }) {
  const { account, broker_name: broker, client, strategy_name: strategy, proposal } = fill;
  const [open, setOpen] = useState<string | null>(null);
  const about = `${fill.side === 'buy' ? 'Buy' : 'Sell'} ${showQuantity(fill.quantity)} ${fill.symbol} in ${account}`;
  const stated = showMoney(proposal?.amount ?? 0);
  return (
    <SubjectRow
      about={about}
      below={`${broker}, ${client}, ${strategy}`}
      proposal={proposal}
      open={open}
      onOpen={setOpen}
      approval={{
        does: `to book ${stated}`,
        title: `Book a commission of ${stated}?`,
        effect: `It replaces our estimate of ${showMoney(fill.estimate)} in the books of the deployment.`,
      }}
      actions={[
        proposal === null
          ? {
              label: 'Enter commission',
              dialog: <StateDialog fill={fill} about={about} onClose={() => setOpen(null)} />,
            }
          : null,
      ]}
    >
      <Facts
        facts={[
          ['Our estimate', showMoney(fill.estimate)],
          ['Filled', showDateTime(fill.executed_at)],
          ['Execution ID', fill.subject],
        ]}
      />
      {proposal?.status === 'approved' && (
        <p className="text-sm text-ink-soft">{stated} is approved. The trader books it at its next look.</p>
      )}
    </SubjectRow>
  );
}

function StateDialog({
  fill: { account, subject, seen, estimate },
  about,
  onClose,
}: {
  fill: MissingCommission;
  about: string;
  onClose: () => void;
}) {
  const propose = usePropose();
  const [amount, setAmount] = useState('');
  const commission = Number(amount);
  const isReady = amount.trim() !== '' && Number.isFinite(commission);
  return (
    <ProposeDialog
      title={`Commission of ${about}`}
      description={`Our estimate is ${showMoney(estimate)}. Nothing is booked until a second person approves.`}
      action="Propose"
      placeholder="the confirmation of the day says so"
      mutation={propose}
      isReady={isReady}
      onConfirm={(reason) =>
        propose.mutate(
          { action: 'state_commission', account, subject, seen, reason, commission },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <Field label="Commission in dollars" hint="As on the broker’s confirmation. A rebate is negative.">
        {(wiring) => (
          <TextInput
            {...wiring}
            inputMode="decimal"
            autoComplete="off"
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
          />
        )}
      </Field>
    </ProposeDialog>
  );
}
