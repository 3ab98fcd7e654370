import { unpackBars } from '#contract/strategies/packed-bars.ts';
import type { DecisionRecord } from '#engine/decision/decision-record.ts';
import { type RecordedDecision, type RecordedTarget, replayWhole } from '#engine/decision/replay-decision.ts';
import { barsAsRead } from '#engine/evidence/verify-passport.ts';
import { scoreWith } from '#engine/model/score-with.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { siteModels } from '../../models/site-models.ts';
import type { ReplayAnswer, ReplayRequest } from './replay-messages.ts';

/** The hash of the engine's source files that this app was built from, put in by the build. */
declare const __ENGINE_HASH__: string;

self.addEventListener('message', ({ data }: MessageEvent<ReplayRequest>) => {
  void answer(data).then((said) => self.postMessage(said));
});

async function answer({ inputs, bars }: ReplayRequest): Promise<ReplayAnswer> {
  try {
    const parsed = parseDefinition(inputs.definition);
    if (!parsed.ok)
      return { ok: false, message: 'This engine cannot read the rules of that decision any more.' };
    const { definition } = parsed;
    const { series, scores: recorded } = barsAsRead(unpackBars(bars));
    // The answers of a model that decides come from the record; a trained model is run again.
    const scores =
      definition.rule.type === 'decider' ? recorded : await scoreWith(siteModels(), definition, series);
    const { target, deployment, at, record, orders, refusals, instruments } = inputs;
    // As the service keeps them: the engine that made them reads them back.
    const recordedTarget = { ...target, asOf: instant(inputs.as_of) } as unknown as RecordedTarget & {
      asOf: ReturnType<typeof instant>;
    };
    const decision = {
      deploymentId: deployment as DeploymentId,
      at: instant(at),
      target,
      record: record as unknown as DecisionRecord,
      orders,
      refusals,
      instruments,
    } as unknown as RecordedDecision;
    const differences = replayWhole(recordedTarget, decision, { definition, series, scores });
    return { ok: true, differences, isSameEngine: inputs.engine === __ENGINE_HASH__ };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `The decision could not be made again: ${reason}.` };
  }
}
