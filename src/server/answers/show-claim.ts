import type { Claim } from '#contract/strategies/claim.ts';
import { claimAgreement } from '#engine/evidence/claim/claim-agreement.ts';
import { claimFigures } from '#engine/evidence/claim/claim-figures.ts';
import type { PublishedSeries } from '#engine/evidence/published-record.ts';
import type { ClaimedGrowth, ClaimedRecord } from '#records/strategies/claimed-records.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';
import {
  CLAIM_LABEL,
  CLAIM_METHOD,
  CLAIM_OUTCOME_WORDS,
  claimSentence,
} from '#rules/strategies/claim-words.ts';
import { utcDate } from '#units/instant.ts';

type Record = Pick<StrategyRecord, 'committedAt' | 'decider' | 'versionId' | 'versionNumber'>;

/** Made from what was claimed; our series is only what it is compared with. */
export function showClaim(
  claimed: ClaimedRecord,
  growth: ClaimedGrowth,
  { record, series }: { readonly record: Record; readonly series: PublishedSeries },
): Claim {
  const agreement = claimAgreement(growth, series, forwardFrom(record));
  const outcome = claimed.versionId === record.versionId ? agreement.outcome : 'other_rules';
  const { totalReturn, annualReturn, maxDrawdown } = claimFigures(growth);
  const { days, from, to, difference } = outcome === 'other_rules' ? NOT_COMPARED : agreement;
  return {
    id: claimed.id,
    label: CLAIM_LABEL,
    source: claimed.source,
    kind: claimed.kind,
    version: claimed.versionNumber,
    first_date: growth.labels[0]!,
    last_date: growth.labels.at(-1)!,
    total_return: totalReturn * 100,
    annual_return: annualReturn === null ? null : annualReturn * 100,
    max_drawdown: Math.abs(maxDrawdown * 100),
    imported_at: claimed.importedAt.toISOString(),
    earlier: claimed.earlier,
    agreement: {
      outcome,
      word: CLAIM_OUTCOME_WORDS[outcome],
      sentence: claimSentence(agreement, claimed.versionNumber, record.versionNumber),
      method: CLAIM_METHOD,
      days,
      from,
      to,
      claimed_return: days === 0 ? null : agreement.claimed * 100,
      own_return: days === 0 ? null : agreement.own * 100,
      difference: difference && {
        mean: difference.mean * 100,
        low: difference.low * 100,
        high: difference.high * 100,
      },
    },
  };
}

const NOT_COMPARED = { days: 0, from: null, to: null, difference: null } as const;

/** Since when our record is one that nobody knew when the rules were chosen, and that no model may know. */
export function forwardFrom({ committedAt, decider }: Pick<Record, 'committedAt' | 'decider'>): string {
  const committed = utcDate(committedAt);
  const known = decider?.knowledgeUntil ?? '';
  return known > committed ? known : committed;
}
