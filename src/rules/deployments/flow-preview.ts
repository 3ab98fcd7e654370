// What adding or withdrawing an amount will do, told before it is asked for: in the order in which a person wonders.
import type { FlowKind } from '#engine/execution/flows/flow.ts';
import { WITHDRAWAL_DAYS } from '#engine/execution/flows/flow.ts';
import { add, type Micro, micro, subtract } from '#units/money.ts';
import { roundHalfEven } from '#units/round.ts';
import { dollars } from '../dollars.ts';

export type PreviewedFlow = {
  readonly kind: FlowKind;
  readonly amount: Micro;
  /** Of the deployment: put in less taken out, its value, and the highest one. */
  readonly investment: Micro;
  readonly equity: Micro;
  readonly peak: Micro;
  /** About what can leave without a sale. */
  readonly freeNow: Micro;
  /** Cash of the account that no deployment claims; null where it is not known. */
  readonly accountFree: Micro | null;
  /** Percent; 0 is off. */
  readonly freezeOnDrawdown: number;
  readonly isPractice: boolean;
  /** A performance fee is charged on profit. */
  readonly isCharged: boolean;
};

export type PreviewLine = { readonly label: string; readonly value: string };
export type FlowPreview = {
  readonly lines: readonly PreviewLine[];
  /** When it happens, and what to. */
  readonly when: string;
  /** What it does to the fee; null where none is charged. */
  readonly fee: string | null;
  /** What it leaves as it is. */
  readonly unchanged: string;
};

export function flowPreview(flow: PreviewedFlow): FlowPreview {
  const { kind, amount, investment, equity, accountFree, isPractice } = flow;
  const isDeposit = kind === 'deposit';
  const signed = isDeposit ? amount : micro(-amount);
  const after = add(equity, signed);
  const account = accountFree === null ? null : subtract(accountFree, signed);
  return {
    lines: [
      { label: 'Put in altogether', value: dollars(add(investment, signed)) },
      { label: 'Value of the deployment', value: dollars(after) },
      ...(account === null || isPractice
        ? []
        : [{ label: 'Free cash in your account', value: dollars(account) }]),
      ...freezeLine(flow, after),
    ],
    when: isDeposit ? ADDED : withdrawnWhen(flow),
    fee: feeSentence(flow),
    unchanged:
      'Its return in percent and its drawdown stay as they are: money that moves is neither gain nor loss.',
  };
}

const ADDED =
  'Within seconds it belongs to the deployment. All positions are sized to the new amount, and bought with the next orders while the market is open.';

function withdrawnWhen({ amount, freeNow, isPractice }: PreviewedFlow): string {
  const where = isPractice
    ? 'it leaves the deployment'
    : 'it is free cash in your own brokerage account; we move nothing out of it';
  if (amount <= freeNow)
    return `Within seconds ${where}. All positions are then sized to the smaller amount.`;
  const sold = dollars(subtract(amount, freeNow));
  return `About ${sold} is sold first, with the next orders while the market is open. Once enough is free, ${where}. After ${WITHDRAWAL_DAYS} days at most what is free by then leaves, even if it is less.`;
}

function feeSentence({ kind, amount, isCharged }: PreviewedFlow): string | null {
  if (!isCharged) return null;
  return kind === 'deposit'
    ? `No fee on what you add: the high-water mark rises by ${dollars(amount)}.`
    : `No fee for withdrawing: the high-water mark falls by ${dollars(amount)}. Profit made before is billed at the end of its period like any other.`;
}

/** The limit counts from the peak, which moves in proportion to the value. */
function freezeLine({ freezeOnDrawdown, peak, equity }: PreviewedFlow, after: Micro): readonly PreviewLine[] {
  if (freezeOnDrawdown === 0 || equity <= 0 || after <= 0) return [];
  const floor = peak * (after / equity) * (1 - freezeOnDrawdown / 100);
  return [{ label: 'Trading freezes below', value: dollars(micro(roundHalfEven(floor))) }];
}
