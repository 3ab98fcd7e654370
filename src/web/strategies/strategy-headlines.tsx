import type { Strategy } from '#contract/strategies/strategies.ts';
import { Badge } from '../kit/state/badge.tsx';
import { Change } from '../kit/figure/change.tsx';
import { Hypothetical } from '../kit/figure/hypothetical.tsx';
import {
  showCounted,
  showMoney,
  showNumber,
  showPercent,
  showProbability,
} from '../kit/figure/show-figure.ts';
import { Stat } from '../kit/figure/stat.tsx';
import { SampleSplit } from './evidence/sample-split.tsx';
import { GRADE_TONES, GRADE_WORDS } from './evidence/evidence-words.ts';

/** What a strategy earned, and in the same breath what that is after the fee and how far to believe it. */
export function StrategyHeadlines({
  strategy,
  isWhole = false,
}: {
  strategy: Strategy;
  /** Of the whole record alone: its parts and its doubt are told beside it. */
  isWhole?: boolean;
}) {
  const results = strategy.backtest_results;
  const { after_fee: net } = strategy.evidence;
  return (
    <div className="border-y py-6">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-8 lg:grid-cols-4">
        <Stat
          label="Returns since inception"
          note={
            !isWhole && (
              <>
                <SampleSplit
                  strategy={strategy}
                  figure={(part) => part.total_return}
                  show={asChange}
                  always
                />
                {strategy.fees > 0 && <AfterFee value={net.return_inception} />}
              </>
            )
          }
        >
          <Change value={results.return_inception} className="text-xl" />
        </Stat>
        <Stat
          label="Annual return"
          note={
            !isWhole && (
              <>
                <SampleSplit strategy={strategy} figure={(part) => part.annual_return} show={asChange} />
                {strategy.fees > 0 && <AfterFee value={net.annual_return} />}
              </>
            )
          }
        >
          <Change value={results.annual_return} className="text-xl" />
        </Stat>
        <Stat
          label="Sharpe ratio"
          note={
            !isWhole && (
              <>
                <SampleSplit
                  strategy={strategy}
                  figure={(part) => part.sharpe_ratio}
                  show={(value) => showNumber(value)}
                />
                <Deflated strategy={strategy} />
              </>
            )
          }
        >
          <span className="text-xl">{showNumber(results.sharpe_ratio)}</span>
        </Stat>
        <MinimumStat strategy={strategy} />
      </dl>
      {!isWhole && <EvidenceLine strategy={strategy} />}
    </div>
  );
}

function MinimumStat({ strategy }: { strategy: Strategy }) {
  return (
    <Stat
      label="Minimum investment"
      note={
        strategy.fees > 0 && (
          <span className="text-xs text-ink-faint">
            Fee: {showPercent(strategy.fees, { decimals: 0 })} of new profit
          </span>
        )
      }
    >
      <span className="text-xl">{showMoney(strategy.min_investment, { cents: 'auto' })}</span>
    </Stat>
  );
}

const asChange = (value: number | null) => showPercent(value, { sign: true });

function AfterFee({ value }: { value: number | null }) {
  return (
    <span className="mt-1 flex flex-wrap items-baseline gap-x-2 text-xs text-ink-faint">
      <span className="text-ink-soft">
        <Change value={value} /> after the fee
      </span>
      <Hypothetical />
    </span>
  );
}

function Deflated({ strategy: { evidence } }: { strategy: Strategy }) {
  return (
    <span className="mt-1 flex flex-wrap items-baseline gap-x-2 text-xs text-ink-faint">
      <span className="text-ink-soft">
        {showProbability(evidence.deflated_sharpe)} chance of beating luck
      </span>
      <Hypothetical />
    </span>
  );
}

/** The doubt in one line; the details are further down. */
function EvidenceLine({ strategy: { evidence } }: { strategy: Strategy }) {
  const { out_of_sample: since, family } = evidence;
  const needed = evidence.minimum_track_record_years;
  return (
    <p className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-2 border-t pt-5 text-sm text-ink-soft">
      <Badge tone={GRADE_TONES[evidence.grade]}>Evidence: {GRADE_WORDS[evidence.grade]}</Badge>
      <span>
        Out-of-sample{' '}
        {since.is_enough
          ? showCounted(since.months, 'month')
          : `${showCounted(since.days, 'day')}, not enough yet`}
      </span>
      <span>{showCounted(family.counted, 'try', 'tries')} counted</span>
      <span>
        {showNumber(evidence.track_record_years, 1)} years of record,{' '}
        {needed === null ? 'no length would be enough' : `${showNumber(needed, 1)} needed`}
      </span>
      <a href="#evidence" className="text-accent hover:underline">
        How much to trust this
      </a>
    </p>
  );
}
