import { BRIDGE_STEPS, type BridgeDay, type BridgeStep } from '#engine/bridge/return-bridge.ts';
import { BRIDGE_TEXT } from '#rules/portfolio/bridge/bridge-text.ts';
import { fromMicro } from '#units/money.ts';
import { Change } from '../kit/figure/change.tsx';

type Row = {
  readonly key: BridgeStep | 'published' | 'mine';
  readonly label: string;
  readonly note: string;
  /** Dollars: what the row changes, or where it ends. */
  readonly amount: number;
  readonly from: number;
  readonly to: number;
};

/** From the published result to the own one, one row a cause that counts for a cent or more. */
export function BridgeSteps({ day }: { day: BridgeDay }) {
  const rows = rowsOf(day);
  const ends = rows.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const at = (value: number) => `${((value - low) / (high - low || 1)) * 100}%`;
  return (
    <dl className="grid" aria-label="From the published result to yours">
      {rows.map(({ key, label, note, amount, from, to }) => {
        const isEnd = key === 'published' || key === 'mine';
        return (
          <div
            key={key}
            className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-1.5 border-b py-2.5 last:border-0 lg:grid-cols-[minmax(18rem,1fr)_minmax(16rem,1.4fr)_8rem]"
          >
            <dt className={isEnd ? 'text-sm font-medium' : 'text-sm text-ink-soft'}>
              {label}
              <span className="block text-xs font-normal text-ink-faint">{note}</span>
            </dt>
            <div
              aria-hidden="true"
              className="relative col-span-2 row-start-2 h-3 lg:col-span-1 lg:col-start-2 lg:row-start-1"
            >
              <span className="absolute -inset-y-1 w-px bg-line" style={{ left: at(0) }} />
              <span
                className={`absolute inset-y-0 min-w-px ${isEnd ? 'bg-benchmark' : amount < 0 ? 'bg-loss' : 'bg-gain'}`}
                style={{ left: at(Math.min(from, to)), right: `calc(100% - ${at(Math.max(from, to))})` }}
              />
            </div>
            <dd className="text-right text-base lg:col-start-3">
              <Change value={amount} unit="money" />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function rowsOf({ invested, published, steps, mine }: BridgeDay): readonly Row[] {
  const record = fromMicro(published) - fromMicro(invested);
  const rows: Row[] = [
    {
      key: 'published',
      label: 'The published record',
      note: 'What your money would have made by following it, before the fee.',
      amount: record,
      from: 0,
      to: record,
    },
  ];
  for (const step of BRIDGE_STEPS) {
    const amount = fromMicro(steps[step]);
    if (amount === 0) continue;
    const from = rows.at(-1)!.to;
    rows.push({ key: step, ...BRIDGE_TEXT[step], amount, from, to: from + amount });
  }
  const own = fromMicro(mine) - fromMicro(invested);
  return [
    ...rows,
    {
      key: 'mine',
      label: 'Yours',
      note: 'What you have, less what you put in and the fees billed.',
      amount: own,
      from: 0,
      to: own,
    },
  ];
}
