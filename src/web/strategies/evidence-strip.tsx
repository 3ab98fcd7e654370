import { Fingerprint } from 'lucide-react';
import type { Strategy } from '#contract/strategies.ts';
import { showAsOf } from '../kit/show-figure.ts';

const SHOWN_DIGITS = 12;

/** The fingerprints of what went into the backtest and of what came out. */
export function EvidenceStrip({ strategy }: { strategy: Strategy }) {
  const { input_hash, result_hash } = strategy.evidence;
  return (
    <section
      aria-label="Evidence"
      className="flex flex-wrap items-center gap-x-8 gap-y-2 rounded-surface bg-brass-wash px-5 py-3 text-sm"
    >
      <span className="inline-flex items-center gap-2 font-medium text-brass">
        <Fingerprint className="size-4" aria-hidden="true" />
        Evidence
      </span>
      <span className="text-ink-soft">
        Engine, rules, data and costs <Hash value={input_hash} />
      </span>
      <span className="text-ink-soft">
        Result <Hash value={result_hash} />
      </span>
      <span className="text-ink-faint">Same input, same result, {showAsOf(strategy.as_of)}</span>
    </section>
  );
}

function Hash({ value }: { value: string }) {
  return (
    <code className="ml-1 font-mono text-xs text-brass" title={value}>
      {value.slice(0, SHOWN_DIGITS)}
    </code>
  );
}
