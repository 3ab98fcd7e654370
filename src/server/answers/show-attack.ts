import type { ShownAttack } from '#contract/strategies/backtests.ts';
import type { AttackResult } from '#engine/evidence/attack/attack-result.ts';
import type { Attack } from '#records/results/attacks.ts';
import {
  attackName,
  attackQuestion,
  attackReason,
  attackUnit,
  attackVerdict,
} from '#rules/reasons/attack-reason.ts';
import { isoText } from '#units/instant.ts';

/** `acceptedAt`: when its reader accepted the verdict by name. */
export function showAttack(
  { verdict, at, versionId, definitionHash, dataHash, tries, results }: Attack,
  acceptedAt: Date | null,
): ShownAttack {
  return {
    verdict,
    ...attackVerdict(verdict),
    at: isoText(at),
    version_id: versionId,
    definition_hash: definitionHash,
    data_hash: dataHash,
    trials: tries,
    findings: results.map(showFinding),
    accepted_at: acceptedAt?.toISOString() ?? null,
  };
}

function showFinding(result: AttackResult): ShownAttack['findings'][number] {
  const { code, outcome } = result;
  return {
    code,
    name: attackName(code),
    question: attackQuestion(code),
    outcome,
    figure: outcome === 'not_run' ? null : result.figure,
    threshold: outcome === 'not_run' ? null : result.threshold,
    unit: attackUnit(code),
    sentence: attackReason(result),
  };
}
