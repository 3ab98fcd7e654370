import { useState } from 'react';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import type { ClientPayment } from '#contract/operations/payments.ts';
import { showDate, showMoney } from '../../kit/figure/show-figure.ts';
import { Facts } from '../facts.tsx';
import { SubjectRow } from '../incidents/subject-row.tsx';
import { WaitingList } from '../waiting-list.tsx';

/** Payments that somebody proposes to give back. */
export function Refunds({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="refunds"
      title="Refunds"
      note="Once a second person approves, the payment service gives the money back, and the client reads why."
      none="Nobody proposes a refund."
      list={desk.refunds}
    >
      {desk.refunds.results.map((payment) => (
        <RefundRow key={payment.id} payment={payment} desk={desk} />
      ))}
    </WaitingList>
  );
}

function RefundRow({ payment, desk }: { payment: ClientPayment; desk: OperationsDesk }) {
  const [open, setOpen] = useState<string | null>(null);
  const proposal =
    desk.proposals.find((one) => one.action === 'refund' && one.subject === payment.id) ?? null;
  const amount = showMoney(proposal?.amount ?? 0);
  return (
    <SubjectRow
      about={`${amount} to ${payment.client}`}
      below={paymentName(payment)}
      proposal={proposal}
      approval={{
        noun: 'the refund',
        does: `to give back ${amount}`,
        title: `Give ${amount} back to ${payment.client}?`,
        effect: 'The payment service returns it to the card that paid. This cannot be undone.',
      }}
      open={open}
      onOpen={setOpen}
      actions={[]}
    >
      <Facts
        facts={[
          ['Paid', showMoney(payment.paid)],
          ['Already given back', showMoney(payment.refunded)],
          ...(payment.charged_back > 0
            ? [['Taken back by their bank', showMoney(payment.charged_back)] as const]
            : []),
          ['Paid on', showDate(payment.paid_at)],
          ['Through', payment.vendor],
        ]}
      />
      {payment.is_disputed && (
        <p className="text-caution">
          The client has asked their bank to take it back. A refund beside a lost dispute pays twice.
        </p>
      )}
    </SubjectRow>
  );
}

export function paymentName({ purpose, paid, paid_at: paidAt }: ClientPayment): string {
  return `${purpose === 'plan' ? 'Plan' : 'Performance fee'}, ${showMoney(paid)} on ${showDate(paidAt)}`;
}
