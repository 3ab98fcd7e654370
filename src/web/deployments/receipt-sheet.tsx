import { Check, Minus, TriangleAlert, X } from 'lucide-react';
import type { DecidedInstrument, DecisionReceipt } from '#contract/decisions.ts';
import { CHECK_RESULT_WORDS } from '#rules/reasons/decision-text.ts';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { showDateTime, showMoney, showPercent, showPrice, showQuantity } from '../kit/figure/show-figure.ts';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { useReceipt } from './decision-queries.ts';
import { ReplayPanel } from './replay/replay-panel.tsx';

type Sheet = {
  deploymentId: string;
  /** Null while none is open. */
  decision: string | null;
  onClose: () => void;
};

/** Why a decision was what it was: reasons, sizes and checks of each instrument, and the replay of all of it. */
export function ReceiptSheet({ deploymentId, decision, onClose }: Sheet) {
  const receipt = useReceipt(deploymentId, decision);
  return (
    <Dialog
      open={decision !== null}
      onOpenChange={(open) => !open && onClose()}
      title={receipt.data ? `Receipt: ${receipt.data.title.toLowerCase()}` : 'Receipt'}
      width="wide"
    >
      {receipt.data && decision !== null ? (
        <Receipt receipt={receipt.data} deploymentId={deploymentId} />
      ) : receipt.isError ? (
        <ErrorState title="The receipt could not be loaded" onRetry={() => void receipt.refetch()} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Dialog>
  );
}

function Receipt({ receipt, deploymentId }: { receipt: DecisionReceipt; deploymentId: string }) {
  return (
    <div className="grid gap-6 text-sm">
      <p className="text-ink-soft">
        {receipt.strategy_name} decided on the close of {showDateTime(receipt.as_of)}. This deployment
        followed on {showDateTime(receipt.at)} with {showMoney(receipt.cash)} of cash.{' '}
        {receipt.rotation?.note}
      </p>
      <ReplayPanel key={receipt.id} deploymentId={deploymentId} decision={receipt.id} />
      {receipt.instruments.length === 0 ? (
        <p className="border-t py-4 text-ink-soft">The strategy wanted nothing, and nothing was held.</p>
      ) : (
        <ul className="border-t">
          {receipt.instruments.map((instrument) => (
            <Instrument key={instrument.ticker} instrument={instrument} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Instrument({ instrument }: { instrument: DecidedInstrument }) {
  const { ticker, order, reasons, features } = instrument;
  return (
    <li className="grid gap-3 border-b py-4 last:border-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-medium">{ticker}</h3>
        <p className="figures">{order === null ? 'No order' : orderText(order)}</p>
      </div>
      <p className="figures text-ink-soft">{sizeText(instrument)}</p>
      {reasons.length > 0 && (
        <ul className="grid gap-1">
          {reasons.map(({ code, text }) => (
            <li key={`${code} ${text}`} className="max-w-prose">
              {text}
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary className="w-fit cursor-pointer rounded-control py-1 text-accent hover:underline">
          Checks and values
        </summary>
        <div className="mt-2 grid gap-4 md:grid-cols-2">
          <Checks checks={instrument.checks} />
          {features.length > 0 && (
            <ul className="grid content-start gap-1 text-ink-soft">
              {features.map(({ name, text }) => (
                <li key={name} className="figures">
                  {text}
                </li>
              ))}
            </ul>
          )}
        </div>
      </details>
    </li>
  );
}

function orderText({ side, quantity, limit_price: limit }: NonNullable<DecidedInstrument['order']>): string {
  const [done, beyond] = side === 'buy' ? ['Buy', 'not above'] : ['Sell', 'not below'];
  return `${done} ${showQuantity(quantity)}, ${beyond} ${showPrice(limit)}`;
}

/** From what the strategy wants to units, with the limit that made it smaller. */
function sizeText(instrument: DecidedInstrument): string {
  const { before_percent: before, asked_percent: asked, allowed_percent: allowed } = instrument;
  const { held, desired, price } = instrument;
  const parts = [
    before === asked
      ? `The strategy keeps ${showPercent(asked, { decimals: 1 })}`
      : `The strategy wants ${showPercent(asked, { decimals: 1 })} instead of ${showPercent(before, { decimals: 1 })}`,
  ];
  if (allowed !== null && allowed !== asked)
    parts.push(`your limits leave ${showPercent(allowed, { decimals: 1 })}`);
  if (desired !== null)
    parts.push(`that is ${showQuantity(desired)} at ${showPrice(price)}, ${showQuantity(held)} held`);
  else parts.push(`${showQuantity(held)} held`);
  return `${parts.join('; ')}.`;
}

const SIGNS = {
  passed: Check,
  limited: TriangleAlert,
  waits: TriangleAlert,
  failed: X,
  not_reached: Minus,
} as const;

function Checks({ checks }: Pick<DecidedInstrument, 'checks'>) {
  return (
    <ul className="grid content-start gap-1.5">
      {checks.map(({ check, text, result, reason }) => {
        const Sign = SIGNS[result];
        return (
          <li key={check} className="flex gap-2">
            <Sign
              className={`mt-0.5 size-4 shrink-0 ${result === 'passed' || result === 'not_reached' ? 'text-ink-faint' : 'text-caution'}`}
              aria-hidden="true"
            />
            <span className={result === 'not_reached' ? 'text-ink-faint' : ''}>
              <span className="sr-only">{CHECK_RESULT_WORDS[result]}: </span>
              {text}
              {reason !== null && <span className="block text-ink-soft">{reason}</span>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
