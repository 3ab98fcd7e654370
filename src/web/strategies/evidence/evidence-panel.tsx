import type { Evidence } from '#contract/strategies/evidence.ts';
import { Badge } from '../../kit/state/badge.tsx';
import { Change } from '../../kit/figure/change.tsx';
import { Hypothetical } from '../../kit/figure/hypothetical.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import {
  showCount,
  showCounted,
  showDate,
  showNumber,
  showPercent,
  showProbability,
} from '../../kit/figure/show-figure.ts';
import { StatRow } from '../../kit/figure/stat-row.tsx';
import { GRADE_SENTENCES, GRADE_TONES, GRADE_WORDS } from './evidence-words.ts';

/** The doubt that belongs next to a strategy's figures: what luck explains, and what happened since. */
export function EvidencePanel({ evidence }: { evidence: Evidence }) {
  const { out_of_sample: since, after_fee: net } = evidence;
  return (
    <section aria-labelledby="evidence" className="grid gap-6">
      <SectionTitle
        id="evidence"
        note={<Hypothetical />}
        aside={<Badge tone={GRADE_TONES[evidence.grade]}>Evidence: {GRADE_WORDS[evidence.grade]}</Badge>}
      >
        How much to trust this
      </SectionTitle>
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-3">
        <div>
          <p className="text-lg text-balance">{GRADE_SENTENCES[evidence.grade]}</p>
          <ul className="mt-4 grid gap-2.5 text-sm text-ink-soft">
            {[...evidence.reasons, ...evidence.family.sentences].map((reason) => (
              <li key={reason} className="border-t pt-2.5">
                {reason}
              </li>
            ))}
          </ul>
        </div>
        <LuckRows evidence={evidence} />
        <dl className="border-t">
          <StatRow label="Record" note={neededNote(evidence.minimum_track_record_years)}>
            {showNumber(evidence.track_record_years, 1)} years
          </StatRow>
          <StatRow label="Out-of-sample" note={`Since ${showDate(since.from)}, when the rules were fixed`}>
            {since.months > 0 ? showCounted(since.months, 'month') : showCounted(since.days, 'day')}
          </StatRow>
          <StatRow
            label="Return out-of-sample"
            note={since.is_enough ? undefined : 'Less than a month is too short'}
          >
            <Change value={since.total_return} />
          </StatRow>
          {net.fee_percent > 0 && (
            <StatRow
              label="Annual return after the fee"
              note={`${showPercent(net.fee_percent, { decimals: 0 })} of new profit`}
            >
              <Change value={net.annual_return} />
            </StatRow>
          )}
        </dl>
      </div>
    </section>
  );
}

/** What luck explains of it. */
function LuckRows({ evidence }: { evidence: Evidence }) {
  return (
    <dl className="border-t">
      <StatRow label="Tries that count" note={triesNote(evidence)}>
        {showCount(evidence.family.counted)}
      </StatRow>
      <StatRow label="Chance of beating luck" note="On its own (probabilistic Sharpe ratio)">
        {showProbability(evidence.probabilistic_sharpe)}
      </StatRow>
      {evidence.beyond_benchmark !== null && (
        <StatRow label="Beyond its benchmark" note="The same, of what it earned besides its exposure to it">
          {showProbability(evidence.beyond_benchmark)}
        </StatRow>
      )}
      <StatRow
        label="Counting all tries"
        note={`${evidence.beyond_benchmark === null ? '' : 'The lower of the two: '}deflated Sharpe ratio`}
      >
        {showProbability(evidence.deflated_sharpe)}
      </StatRow>
      <StatRow label="Sharpe ratio that luck alone would reach" note="With this many tries and no skill">
        {showNumber(evidence.lucky_sharpe)}
      </StatRow>
      <StatRow label="Probability of overfitting" note={lossNote(evidence.loss_probability)}>
        {showProbability(evidence.overfitting_probability)}
      </StatRow>
    </dl>
  );
}

function lossNote(probability: number | null): string {
  if (probability === null) return 'Among neighbouring rules';
  return `Best of its neighbours on one half of the days, it lost on the other in ${showProbability(probability)}`;
}

function triesNote({ trials, family }: Evidence): string {
  const own = family.by_provider ? 'this strategy' : 'this draft';
  const failed = trials.failed > 0 ? `, ${trials.failed} of them failed` : '';
  return `${showCount(trials.tries)} in ${own}${failed}`;
}

function neededNote(years: number | null): string {
  return years === null
    ? 'At this Sharpe ratio no length would be enough'
    : `Needs ${showNumber(years, 1)} years to be distinguishable from zero`;
}
