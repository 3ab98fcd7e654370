import type { Broker } from '#contract/brokerage.ts';
import { showWord } from '../kit/figure/show-figure.ts';
import { BROKER_STATUS_WORDS } from './broker-status-words.ts';

/** Cards to choose one broker from: radio buttons underneath, so that keyboard and screen reader know them. */
export function BrokerChoice({
  brokers,
  value,
  onChange,
}: {
  brokers: readonly Broker[];
  value: string | null;
  onChange: (id: string) => void;
}) {
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">Broker</legend>
      {brokers.map((broker) => (
        <label
          key={broker.id}
          className="flex cursor-pointer items-start gap-4 rounded-surface border border-control-line/60 p-4 transition-colors hover:border-control-line has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="broker"
            value={broker.id}
            checked={value === broker.id}
            onChange={() => onChange(broker.id)}
            className="mt-1 size-5 shrink-0 accent-accent-fill outline-none"
          />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
              <span className="font-medium">{broker.name}</span>
              <span className="text-sm text-ink-faint">{showWord(broker.broker_type)}</span>
              {broker.status !== 'available' && (
                <span className="text-sm text-caution">{BROKER_STATUS_WORDS[broker.status]}</span>
              )}
            </span>
            <span className="mt-1 block text-sm text-ink-soft">{broker.description}</span>
            <span className="mt-2 block text-sm text-ink-faint">{showAssets(broker.supported_assets)}</span>
          </span>
          <img src={broker.logo} alt="" width={40} height={40} className="size-10 shrink-0 rounded-control" />
        </label>
      ))}
    </fieldset>
  );
}

/** Comma separated, capitalised. */
function showAssets(assets: readonly string[]): string {
  return assets.map((asset) => showWord(asset.trim())).join(', ');
}
