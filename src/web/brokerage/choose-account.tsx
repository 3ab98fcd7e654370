import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { BrokerAccountChoice, BrokerConnection } from '#contract/brokerage.ts';
import { call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Badge } from '../kit/state/badge.tsx';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';

/** The accounts that the sign-in at the broker granted: the client chooses the one to trade in. */
export function ChooseAccount({
  connection,
  onChosen,
}: {
  connection: BrokerConnection;
  onChosen: (connectionId: string) => void;
}) {
  const choices = connection.accounts ?? [];
  const [account, setAccount] = useState<string | null>(null);
  const choose = useMutation({
    mutationFn: (chosen: string) =>
      call('chooseBrokerAccount', { params: { id: connection.id }, body: { account: chosen } }),
    onSuccess: ({ id }) => onChosen(id),
  });
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (account !== null) choose.mutate(account);
      }}
    >
      <fieldset className="grid gap-3">
        <legend className="mb-1 font-medium">Choose an account</legend>
        <p className="text-sm text-ink-soft">
          {connection.broker_name} gave us access to several accounts. We trade in the one that you choose.
          You can change it by connecting again while nothing is deployed.
        </p>
        {choices.map((choice) => (
          <Choice
            key={choice.key}
            choice={choice}
            isChosen={choice.key === account}
            onChoose={() => setAccount(choice.key)}
          />
        ))}
      </fieldset>
      {choose.isError && (
        <Notice tone="failure">
          {sentenceOf(choose.error, 'The account was not connected. Please try again.')}
        </Notice>
      )}
      <div>
        <Button type="submit" disabled={account === null} busy={choose.isPending} busyLabel="Connecting...">
          Connect this account
        </Button>
      </div>
    </form>
  );
}

function Choice({
  choice,
  isChosen,
  onChoose,
}: {
  choice: BrokerAccountChoice;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { key, account_id: number, title, currency, is_paper: isPaper, refusal } = choice;
  return (
    <label className="flex cursor-pointer items-start gap-4 rounded-surface border border-control-line/60 p-4 transition-colors hover:border-control-line has-checked:border-accent has-checked:bg-accent-wash has-disabled:cursor-default has-disabled:hover:border-control-line/60 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name="account"
        value={key}
        checked={isChosen}
        disabled={refusal !== null}
        onChange={onChoose}
        className="mt-1 size-5 shrink-0 accent-accent-fill outline-none"
      />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{title}</span>
          <span className="font-mono text-sm text-ink-soft">{number}</span>
          <span className="text-sm text-ink-soft">{currency}</span>
          <Badge tone={isPaper ? 'neutral' : 'caution'}>{isPaper ? 'Paper money' : 'Live money'}</Badge>
        </span>
        {refusal && <span className="mt-1 block text-sm text-ink-soft">{refusal}</span>}
      </span>
    </label>
  );
}
