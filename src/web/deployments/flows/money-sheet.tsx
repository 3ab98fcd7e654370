import { useState } from 'react';
import type { FlowTerms } from '#contract/deployment-flows.ts';
import type { Deployment } from '#contract/deployments.ts';
import type { FlowKind } from '#engine/execution/flows/flow.ts';
import { checkFlowAmount } from '#rules/deployments/flow-amount.ts';
import { flowPreview } from '#rules/deployments/flow-preview.ts';
import { fromMicro, type Micro, toMicro } from '#units/money.ts';
import { sentenceOf } from '../../call/call-error.ts';
import { useHasProvider } from '../../call/installation.ts';
import { AmountField } from '../../kit/control/amount-field.tsx';
import { Button } from '../../kit/control/button.tsx';
import { SegmentedControl } from '../../kit/control/segmented-control.tsx';
import { StatRow } from '../../kit/figure/stat-row.tsx';
import { showMoney } from '../../kit/figure/show-figure.ts';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { useFlowTerms, useRequestFlow } from './flow-queries.ts';

const KINDS = [
  { value: 'deposit', label: 'Add money' },
  { value: 'withdrawal', label: 'Withdraw' },
] as const;

const WHERE = {
  practice: 'This is practice money: nobody’s, and none of it is at a broker.',
  account:
    'Money moves between this deployment and the free cash of your account. Nothing leaves your broker.',
} as const;

type Sheet = {
  readonly deployment: Deployment;
  readonly onClose: () => void;
  /** Everything is to come out: the sheet of the ways to close takes over. */
  readonly onCloseDeployment: () => void;
};

/** Adds money to a deployment or withdraws some, after telling what happens when. */
export function MoneySheet({ deployment, onClose, onCloseDeployment }: Sheet) {
  const [kind, setKind] = useState<FlowKind>('deposit');
  const [text, setText] = useState('');
  const terms = useFlowTerms(deployment.id);
  const ask = useRequestFlow(deployment);
  const amount = readAmount(text, kind, { deployment, terms: terms.data });
  const refusal = refusalOf(kind, terms.data);
  const isDeposit = kind === 'deposit';
  return (
    <ConfirmDialog
      onClose={onClose}
      variant="primary"
      title="Add or withdraw money"
      description={`${deployment.strategy_name}. ${WHERE[deployment.mode === 'practice' ? 'practice' : 'account']}`}
      keep="Cancel"
      action={actionOf(isDeposit, amount.micro)}
      busy={ask.isPending}
      busyLabel={isDeposit ? 'Adding...' : 'Withdrawing...'}
      disabled={amount.micro === null || refusal !== null}
      onConfirm={() =>
        amount.micro !== null && ask.mutate({ kind, amount: fromMicro(amount.micro) }, { onSuccess: onClose })
      }
    >
      <div className="grid gap-5">
        <div>
          <SegmentedControl label="What to do" value={kind} onChange={setKind} options={KINDS} />
        </div>
        {terms.data === undefined ? (
          terms.isError ? (
            <ErrorState title="What can move could not be loaded" onRetry={() => void terms.refetch()} />
          ) : (
            <Skeleton className="h-40" />
          )
        ) : refusal !== null ? (
          <Notice
            tone="caution"
            action={isDeposit ? undefined : <CloseInstead onPress={onCloseDeployment} />}
          >
            {refusal}
          </Notice>
        ) : (
          <>
            <AmountField
              label="Amount"
              hint={hintOf(isDeposit, deployment, terms.data)}
              error={text === '' ? null : amount.problem}
              value={text}
              onChange={setText}
            />
            {amount.isBelowMinimum && <CloseInstead onPress={onCloseDeployment} />}
            {amount.micro !== null && (
              <Preview deployment={deployment} kind={kind} amount={amount.micro} terms={terms.data} />
            )}
          </>
        )}
        {ask.isError && (
          <Notice tone="failure" title={isDeposit ? 'Nothing was added' : 'Nothing was withdrawn'}>
            {sentenceOf(ask.error, 'Please try again.')}
          </Notice>
        )}
      </div>
    </ConfirmDialog>
  );
}

function CloseInstead({ onPress }: { onPress: () => void }) {
  return (
    <div>
      <Button variant="secondary" onClick={onPress}>
        Close the deployment instead
      </Button>
    </div>
  );
}

function Preview({
  deployment,
  kind,
  amount,
  terms,
}: {
  deployment: Deployment;
  kind: FlowKind;
  amount: Micro;
  terms: FlowTerms;
}) {
  const isPractice = deployment.mode === 'practice';
  const preview = flowPreview({
    kind,
    amount,
    investment: toMicro(deployment.investment_amount),
    equity: toMicro(deployment.equity),
    peak: toMicro(deployment.peak_equity),
    freeNow: toMicro(terms.free_now),
    accountFree: terms.account_free === null ? null : toMicro(terms.account_free),
    freezeOnDrawdown: deployment.freeze_on_drawdown,
    isPractice,
    isCharged: useHasProvider() && !isPractice,
  });
  return (
    <section aria-label="What happens" className="grid gap-3">
      <h3 className="text-sm font-medium">Afterwards</h3>
      <dl>
        {preview.lines.map(({ label, value }) => (
          <StatRow key={label} label={label}>
            {value}
          </StatRow>
        ))}
      </dl>
      <ul className="grid gap-2 text-sm text-ink-soft">
        <li>{preview.when}</li>
        {preview.fee !== null && <li>{preview.fee}</li>}
        <li>{preview.unchanged}</li>
      </ul>
    </section>
  );
}

function actionOf(isDeposit: boolean, amount: Micro | null): string {
  const much = amount === null ? 'money' : showMoney(fromMicro(amount), { cents: 'auto' });
  return isDeposit ? `Add ${much}` : `Withdraw ${much}`;
}

function refusalOf(kind: FlowKind, terms: FlowTerms | undefined): string | null {
  if (terms === undefined) return null;
  return kind === 'deposit' ? terms.cannot_add : terms.cannot_withdraw;
}

function hintOf(isDeposit: boolean, { mode }: Deployment, terms: FlowTerms): string {
  const money = (amount: number) => showMoney(amount, { cents: 'auto' });
  if (!isDeposit) {
    const most = `Up to ${money(terms.withdrawable)}; the strategy needs ${money(terms.minimum)}.`;
    return terms.free_now >= terms.withdrawable
      ? most
      : `${most} About ${money(terms.free_now)} is free now; for more, positions are sold.`;
  }
  if (mode === 'practice') return 'Practice money: as much as you like.';
  return terms.account_free === null
    ? 'Your broker has not reported the free cash of your account. The money is added once it has, within a day.'
    : `${money(terms.account_free)} is free in your account.`;
}

type Read = {
  readonly micro: Micro | null;
  readonly problem: string | null;
  readonly isBelowMinimum: boolean;
};

function readAmount(
  text: string,
  kind: FlowKind,
  { deployment, terms }: { readonly deployment: Deployment; readonly terms: FlowTerms | undefined },
): Read {
  const nothing = { micro: null, problem: null, isBelowMinimum: false };
  if (terms === undefined || text.trim() === '') return nothing;
  const dollars = Number(text);
  const amount = Math.abs(dollars) <= DOLLARS_MAX ? toMicro(dollars) : (Number.NaN as Micro);
  const problem = checkFlowAmount(kind, amount, {
    status: deployment.status,
    requestedStatus: null,
    equity: toMicro(terms.withdrawable + terms.minimum),
    minimum: toMicro(terms.minimum),
    freeNow: toMicro(terms.free_now),
    isShadow: false,
    isToBeLiquidated: false,
    isPending: false,
  });
  if (problem !== null)
    return { ...nothing, problem: problem.message, isBelowMinimum: problem.code === 'below_minimum' };
  const free = terms.account_free;
  return kind === 'deposit' && free !== null && dollars > free
    ? {
        ...nothing,
        problem: `Your account has ${showMoney(free)} free. Enter less, or add money at your broker.`,
      }
    : { ...nothing, micro: amount };
}

/** Beyond it dollars are no exact whole number of micro-units any more. */
const DOLLARS_MAX = 1_000_000_000;
