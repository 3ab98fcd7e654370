// Which adjustments of the books are allowed. Promises that an adjustment fits the difference that it was proposed for:
// a difference shrinks and never changes sign, a revised execution replaces the one it revises, and no one names units
// that a strategy may not hold.
import { type Quantity, quantity, quantityText } from '#units/quantity.ts';

export type AdjustmentRequest = {
  readonly answers:
    | {
        readonly type: 'difference';
        readonly ours: Quantity;
        readonly external: Quantity;
        readonly theirs: Quantity;
      }
    | {
        readonly type: 'external_trade';
        /** What deployments must book so that they hold no more than the account does. Signed. */
        readonly units: Quantity;
        /** Whether books and broker also differ there for another reason. */
        readonly isBesideAnother: boolean;
      }
    | { readonly type: 'shortfall' }
    | {
        readonly type: 'execution';
        /** The execution that it revises, and whose that one is; null when there is none. */
        readonly revises: { readonly id: string; readonly isOurs: boolean } | null;
      };
  readonly closesAs: 'adjustment' | 'external';
  readonly symbol: string;
  readonly isInCatalogue: boolean;
  /** Signed: what is booked. */
  readonly units: Quantity;
  readonly hasPrice: boolean;
  /** The booked execution to reverse: null for none, 'unknown' when it does not belong to the deployment. */
  readonly undoes:
    | { readonly id: string; readonly units: Quantity; readonly isUndone: boolean }
    | 'unknown'
    | null;
  /** Null when it does not trade the account through the connection that received the execution. */
  readonly deployment: { readonly held: Quantity; readonly mayBeShort: boolean } | null;
};

type AdjustmentProblem = {
  readonly field: 'closes_as' | 'deployment' | 'quantity' | 'price' | 'replaces';
  readonly message: string;
};

export function adjustmentProblem(asked: AdjustmentRequest): AdjustmentProblem | null {
  return asked.closesAs === 'external' ? externalProblem(asked.answers) : problemOfBooks(asked);
}

/** Why it cannot be put into suspense as an external trade. */
export function externalProblem(answers: AdjustmentRequest['answers']): AdjustmentProblem | null {
  if (answers.type === 'execution') return null;
  if (answers.type === 'shortfall') return { field: 'closes_as', message: ONLY_ITS_OWNER };
  if (answers.type === 'external_trade') return { field: 'closes_as', message: ALREADY_IN_SUSPENSE };
  const { ours, external, theirs } = answers;
  const gap = theirs - ours - external;
  const isMissing = (ours > 0 && theirs < ours && gap < 0) || (ours < 0 && theirs > ours && gap > 0);
  if (!isMissing) return null;
  const message =
    'The account holds less than our deployments do, and no external trade explains it. Adjust the books of a deployment.';
  return { field: 'closes_as', message };
}

const ONLY_ITS_OWNER =
  'The account has a shortfall because its broker cancelled a trade. Only the owner can close it, by buying the units back.';
const ALREADY_IN_SUSPENSE =
  'This external trade is already booked as external. Adjust the books of a deployment, or wait until the owner reverses the trade.';

function problemOfBooks(asked: AdjustmentRequest): AdjustmentProblem | null {
  const { answers, symbol, units, undoes, deployment } = asked;
  if (answers.type === 'shortfall') return { field: 'closes_as', message: ONLY_ITS_OWNER };
  if (!asked.isInCatalogue)
    return {
      field: 'closes_as',
      message: `${symbol} is not in the catalogue, so no deployment can hold it.`,
    };
  const revises = answers.type === 'execution' ? answers.revises : null;
  if (revises?.isOurs === false)
    return {
      field: 'closes_as',
      message: `It revises ${revises.id}, which is booked as external. Book this one as external too.`,
    };
  if (deployment === null)
    return { field: 'deployment', message: 'Choose a deployment that trades this account.' };
  if (undoes === 'unknown')
    return { field: 'replaces', message: 'This execution is not booked for the deployment.' };
  if (undoes?.isUndone) return { field: 'replaces', message: 'This execution is already reversed.' };
  if (revises !== null && undoes?.id !== revises.id)
    return { field: 'replaces', message: `It revises ${revises.id}: select that execution to reverse.` };
  if (units === 0 && undoes === null)
    return { field: 'quantity', message: 'Enter the number of units, or select an execution to reverse.' };
  if (units !== 0 && !asked.hasPrice) return { field: 'price', message: 'Enter a price.' };
  if (answers.type === 'external_trade') return problemOfGivingUp(answers, asked, deployment.held);
  const net = quantity(units - (undoes?.units ?? 0));
  const after = deployment.held + net;
  // What the broker takes back is booked as far as it is held; the rest goes to suspense.
  if (undoes === null && after < 0 && after < deployment.held && !deployment.mayBeShort) {
    const message = `It would be short ${quantityText(quantity(-after))} ${symbol}, but its strategy is long-only.`;
    return { field: 'deployment', message };
  }
  return answers.type === 'difference' ? beyond(answers, net) : null;
}

/** At most the quantity traded externally and held by the deployment: nothing is reversed, and no position changes sign. */
function problemOfGivingUp(
  { units: most, isBesideAnother }: Extract<AdjustmentRequest['answers'], { type: 'external_trade' }>,
  { units, undoes, symbol }: AdjustmentRequest,
  held: Quantity,
): AdjustmentProblem | null {
  if (isBesideAnother) {
    const message = 'There is also a reconciliation break on this instrument. Resolve that first.';
    return { field: 'closes_as', message };
  }
  if (undoes !== null)
    return {
      field: 'replaces',
      message: 'This was an external trade: no execution of ours can be reversed for it.',
    };
  const available = Math.sign(held) === -Math.sign(most) ? Math.min(Math.abs(held), Math.abs(most)) : 0;
  if (Math.sign(units) === Math.sign(most) && Math.abs(units) <= available) return null;
  const text = quantityText(quantity(available));
  const message =
    available === 0
      ? `This deployment holds no ${symbol} affected by the external trade.`
      : `At most ${text} can be ${most < 0 ? 'removed' : 'added'} for this external trade.`;
  return { field: available === 0 ? 'deployment' : 'quantity', message };
}

function beyond(
  { ours, external, theirs }: { ours: Quantity; external: Quantity; theirs: Quantity },
  net: Quantity,
): AdjustmentProblem | null {
  const gap = quantity(theirs - ours - external);
  if (net !== 0 && Math.sign(net) === Math.sign(gap) && Math.abs(net) <= Math.abs(gap)) return null;
  const most = quantityText(quantity(Math.abs(gap)));
  const way = gap > 0 ? 'added' : 'removed';
  return {
    field: 'quantity',
    message: `The broker holds ${most} ${gap > 0 ? 'more' : 'fewer'}: at most ${most} can be ${way}.`,
  };
}
