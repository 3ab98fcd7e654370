import type { backtestsEndpoints, ShownAttack } from '#contract/strategies/backtests.ts';
import type { AttackResult } from '#engine/evidence/attack/attack-result.ts';
import { type Attack, findAttackVerdict } from '#records/results/attacks.ts';
import {
  attackName,
  attackQuestion,
  attackReason,
  attackUnit,
  attackVerdict,
} from '#rules/reasons/attack-reason.ts';
import { isoText } from '#units/instant.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { findOwnStrategy } from '../drafts/find-own-strategy.ts';

export const getAttack: Call<typeof backtestsEndpoints.getAttack> = async (
  { params, caller },
  { records },
) => {
  const strategy = await findOwnStrategy(records.database, params.id, caller);
  if (!strategy) return notFound();
  const attack = await findAttackVerdict(records.database, { versionId: strategy.versionId });
  return { attack: attack === undefined ? null : showAttack(attack) };
};

function showAttack({
  verdict,
  at,
  versionId,
  definitionHash,
  dataHash,
  tries,
  results,
}: Attack): ShownAttack {
  return {
    verdict,
    ...attackVerdict(verdict),
    at: isoText(at),
    version_id: versionId,
    definition_hash: definitionHash,
    data_hash: dataHash,
    trials: tries,
    findings: results.map(showFinding),
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
