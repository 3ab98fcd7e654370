import { useState } from 'react';
import type { FeeBill } from '#contract/fees.ts';
import { Button } from '../kit/control/button.tsx';
import { showDate, showMoney } from '../kit/figure/show-figure.ts';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { ConfirmAtBank } from '../kit/state/confirm-at-bank.tsx';
import { useFeePayment, usePayFeeBill } from './fee-queries.ts';
import { unpaidConsequence } from './unpaid-consequence.ts';

/** What is left to pay of a bill, what follows if it is not paid, and the button that pays it. */
export function PayBill({ bill }: { bill: FeeBill }) {
  const payment = useFeePayment();
  const pay = usePayFeeBill(bill.id);
  const [isAsking, setAsking] = useState(false);
  if (bill.state !== 'due' && bill.state !== 'overdue') return null;
  const owed = showMoney(bill.owed);
  const takesMoney = payment.data?.takes_money ?? true;
  return (
    <>
      <Notice
        tone={bill.state === 'overdue' ? 'caution' : 'info'}
        title={`${owed} ${bill.state === 'overdue' ? 'was' : 'is'} due on ${showDate(bill.due_at)}`}
        action={
          <Button size="small" onClick={() => setAsking(true)}>
            Pay now
          </Button>
        }
      >
        {payment.data?.automatic ? 'It is paid automatically when it falls due.' : unpaidConsequence(bill)}
      </Notice>
      {pay.data?.payment_page && (
        <ConfirmAtBank page={pay.data.payment_page}>
          It opens a page of the payment service. The bill is paid once the payment service tells us so.
        </ConfirmAtBank>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Pay this bill?"
          description={`${owed} for ${bill.strategy_name}, bill ${bill.number}. ${
            takesMoney ? 'Your means of payment is charged.' : 'The payment is recorded; nothing is charged.'
          }`}
          keep="Not now"
          action={`Pay ${owed}`}
          variant="primary"
          busy={pay.isPending}
          busyLabel="Paying..."
          onConfirm={() => pay.mutate(undefined, { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
