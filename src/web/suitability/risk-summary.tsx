import type { RiskProfile } from '#contract/suitability.ts';
import { findOption, type QuestionId, QUESTIONS } from '#rules/suitability/questionnaire.ts';
import { classNames } from '../kit/class-names.ts';
import { RiskScale } from '../kit/figure/risk-scale.tsx';
import { showPercent, showWord } from '../kit/figure/show-figure.ts';
import { Stat } from '../kit/figure/stat.tsx';
import { StatRow } from '../kit/figure/stat-row.tsx';

/** What the answers came to. */
export function RiskSummary({ profile }: { profile: RiskProfile }) {
  return (
    <>
      <dl className="flex flex-wrap items-end gap-x-12 gap-y-6">
        <Stat label="Score" size="large">
          <span className={scoreColour(profile.score)}>{profile.score}</span>
          <span className="text-base text-ink-faint"> out of 100</span>
        </Stat>
        <Stat label="Risk tolerance" size="medium">
          <span className={classNames('font-serif', toleranceColour(profile.risk_tolerance))}>
            {showWord(profile.risk_tolerance)}
          </span>
        </Stat>
        <Stat label="Strategies open to you, up to" size="small">
          <RiskScale score={profile.risk_score} />
        </Stat>
      </dl>
      <dl className="mt-6">
        <StatRow label="Investment objective">
          {chosen('investment_objective', profile.investment_objective)}
        </StatRow>
        <StatRow label="Time horizon">{chosen('time_horizon', profile.time_horizon)}</StatRow>
        <StatRow label="Experience">{chosen('investment_experience', profile.investment_experience)}</StatRow>
        <StatRow label="Max drawdown tolerance">
          {showPercent(profile.max_drawdown_tolerance, { decimals: 0 })}
        </StatRow>
        <StatRow label="Financial situation">
          {chosen('financial_situation', profile.financial_situation)}
        </StatRow>
      </dl>
      <h3 className="mt-8 text-sm font-medium">Recommendations</h3>
      <ul className="mt-2 grid list-disc gap-1.5 pl-5 text-ink-soft">
        {profile.recommendations.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}

/** The label's words before its explanation. */
function chosen(question: QuestionId, value: string): string {
  const label = QUESTIONS.some(({ id }) => id === question) ? findOption(question, value)?.label : undefined;
  return label?.split(':')[0] ?? showWord(value);
}

/** Specification section 2: green at 40 or below, yellow up to 70, red above. */
function scoreColour(score: number): string {
  if (score <= 40) return 'text-gain';
  return score <= 70 ? 'text-caution' : 'text-loss';
}

/** Specification section 3: any other value is coloured as aggressive. */
function toleranceColour(tolerance: string): string {
  if (tolerance === 'conservative') return 'text-gain';
  return tolerance === 'moderate' ? 'text-caution' : 'text-loss';
}
