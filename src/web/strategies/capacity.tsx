import type { Strategy } from '#contract/strategies/strategies.ts';
import { showMoney } from '../kit/figure/show-figure.ts';
import { Notice } from '../kit/state/notice.tsx';
import { ProgressBar } from '../kit/state/progress-bar.tsx';

type WithCapacity = Pick<Strategy, 'capacity'>;

/** How much money it takes beside what is in it, and what that is made from. */
export function Capacity({ strategy: { capacity } }: { strategy: WithCapacity }) {
  return (
    <section aria-label="Capacity">
      <h2 className="text-sm font-medium">Capacity</h2>
      <CapacityFigures capacity={capacity} />
    </section>
  );
}

export function CapacityFigures({ capacity }: WithCapacity) {
  const { amount, deployed, note, waiting } = capacity;
  const inIt = showMoney(deployed, { cents: 'never' });
  const words =
    amount === null ? `${inIt} is in it.` : `${inIt} of ${showMoney(amount, { cents: 'never' })} is in it.`;
  return (
    <div className="mt-1.5 grid gap-1.5 text-sm text-ink-soft">
      <p className="figures text-ink">{words}</p>
      {amount !== null && (
        <ProgressBar label="Share of the capacity that is used" value={deployed} max={amount} text={words} />
      )}
      {waiting.count > 0 && (
        <p>
          {waiting.count === 1 ? 'One waits' : `${waiting.count} wait`} with{' '}
          {showMoney(waiting.amount, { cents: 'never' })}.
        </p>
      )}
      <p>{note}</p>
    </div>
  );
}

/** In the marketplace, where it binds: nothing while there is room enough. */
export function CapacityMark({ strategy: { capacity } }: { strategy: WithCapacity }) {
  const { amount, deployed, is_full: isFull } = capacity;
  if (amount === null || (!isFull && deployed < amount * NEARLY_FULL)) return null;
  return (
    <span className="text-sm leading-none text-caution">
      {isFull
        ? 'Full: new money waits'
        : `Room for ${showMoney(Math.floor(amount - deployed), { cents: 'never' })}`}
    </span>
  );
}

const NEARLY_FULL = 0.8;

/** Before somebody deploys so much: whether it starts at once. Practice takes no room. */
export function CapacityNotice({
  strategy: { capacity },
  amount,
}: {
  strategy: WithCapacity;
  amount: number | null;
}) {
  const { amount: whole, deployed, waiting } = capacity;
  const fits = waiting.count === 0 && whole !== null && amount !== null && deployed + amount <= whole;
  if (whole === null || amount === null || fits) return null;
  const takes = showMoney(whole, { cents: 'never' });
  if (amount > whole)
    return <Notice tone="caution">This strategy takes {takes} in all: enter that or less.</Notice>;
  const before =
    waiting.count === 0
      ? ''
      : ` behind ${waiting.count === 1 ? 'one other' : `${waiting.count} others`} with ${showMoney(waiting.amount, { cents: 'never' })}`;
  return (
    <Notice tone="caution">
      This strategy takes {takes} and has room for{' '}
      {showMoney(Math.max(0, whole - deployed), { cents: 'never' })}. Your money waits in its queue{before}:
      who signed first comes first. It stays in your brokerage account, and you can leave the queue at any
      time.
    </Notice>
  );
}
