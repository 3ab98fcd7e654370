import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClientPayment } from '#contract/operations/payments.ts';
import { call } from '../../call/call.ts';
import { Field } from '../../kit/control/field.tsx';
import { Select } from '../../kit/control/select.tsx';
import { TextInput } from '../../kit/control/text-input.tsx';
import { showMoney } from '../../kit/figure/show-figure.ts';
import { usePropose } from '../proposals/proposal-queries.ts';
import { ProposeDialog } from '../proposals/propose-dialog.tsx';
import { paymentName } from './refunds.tsx';

/** Whose payment, which of them, and how much of it. Nothing is given back until a second person approves. */
export function RefundDialog({ onClose }: { onClose: () => void }) {
  const [client, setClient] = useState('');
  const [chosen, setChosen] = useState('');
  const [amount, setAmount] = useState('');
  const propose = usePropose();
  const payments = useClientPayments(client.trim());
  const payment = payments.data?.find(({ id }) => id === chosen) ?? payments.data?.[0];
  const left = payment === undefined ? 0 : payment.paid - payment.refunded - payment.charged_back;
  const dollars = amount === '' ? left : Number(amount);
  const misfit = dollars > left ? `At most ${showMoney(left)} can be given back.` : null;
  return (
    <ProposeDialog
      title="Refund a payment"
      description="The payment service returns it to the card that paid. Nothing is given back until a second person approves."
      action="Propose"
      label="Why (the client reads it)"
      placeholder="it was charged for a period that you had cancelled"
      mutation={propose}
      isReady={payment !== undefined && dollars > 0 && misfit === null}
      onConfirm={(reason) =>
        payment !== undefined &&
        propose.mutate(
          { action: 'refund', subject: payment.id, amount: dollars, reason },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <Field label="Client" hint="The e-mail of their account." error={noneOf(client, payments.data)}>
        {(wiring) => (
          <TextInput
            {...wiring}
            type="email"
            value={client}
            onChange={(event) => setClient(event.target.value)}
          />
        )}
      </Field>
      {payment !== undefined && payments.data !== undefined && (
        <>
          <Field label="Payment">
            {(wiring) => (
              <Select
                {...wiring}
                value={payment.id}
                options={payments.data.map((one) => ({ value: one.id, label: paymentName(one) }))}
                onChange={(event) => setChosen(event.target.value)}
              />
            )}
          </Field>
          <Field label="Amount" hint={`${showMoney(left)} can be given back.`} error={misfit}>
            {(wiring) => (
              <TextInput
                {...wiring}
                lead="$"
                inputMode="decimal"
                placeholder={left.toFixed(2)}
                value={amount}
                onChange={(event) => setAmount(event.target.value)}
              />
            )}
          </Field>
        </>
      )}
    </ProposeDialog>
  );
}

function useClientPayments(client: string) {
  return useQuery({
    queryKey: ['client-payments', client],
    queryFn: ({ signal }) => call('listClientPayments', { query: { client }, signal }),
    enabled: /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(client),
  });
}

function noneOf(client: string, payments: readonly ClientPayment[] | undefined): string | null {
  return payments?.length === 0 ? `${client.trim()} has paid nothing.` : null;
}
