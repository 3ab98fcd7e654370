// Asks the models that decide, beside the ticks: a model takes seconds, and everything else goes on meanwhile. A close is evaluated
// once its decision stands in the record.
import { setTimeout as pause } from 'node:timers/promises';
import { deciderOf } from '#engine/decider/decider-rule.ts';
import { decisionQuestion } from '#engine/decider/decision-questions.ts';
import type { SeriesBySymbol } from '#engine/strategy/feature-column.ts';
import { findDecision } from '#records/deciders/model-decisions.ts';
import type { Instant } from '#units/instant.ts';
import { makeDecision } from '../deciders/decide.ts';
import { noteProblem, type TickContext } from '../trading-context.ts';
import type { TradedVersion } from './traded-version.ts';

export type DecisionBook = {
  /**
   * Whether the record has what is decided at a close, or nothing is asked there. Begins to ask where nobody has, and waits for it no
   * longer than `patienceMs`.
   */
  isDecided(
    context: Pick<TickContext, 'database' | 'deciders' | 'realNow' | 'logger' | 'report' | 'problemLog'>,
    version: TradedVersion,
    at: { readonly series: SeriesBySymbol; readonly close: Instant; readonly patienceMs: number },
  ): Promise<boolean>;
};

export function createDecisionBook(): DecisionBook {
  const asking = new Map<string, Promise<void>>();
  return {
    async isDecided(context, version, { series, close, patienceMs }) {
      const { id, definition } = version;
      const rule = deciderOf(definition);
      if (rule === null) return true;
      const key = { versionId: id, form: 'plain', asOf: close } as const;
      const found = await findDecision(context.database, key);
      if (found !== null && found.isClosed) return true;
      const question = decisionQuestion({ definition, rule }, series, close);
      if (question === null) return true;
      const name = `${id} ${close}`;
      const { database, deciders = [], realNow } = context;
      const asked = {
        versionId: id,
        form: 'plain',
        rule,
        direction: definition.direction,
        question,
      } as const;
      const running =
        asking.get(name) ??
        makeDecision({ database, deciders, realNow }, asked)
          .then(() => undefined)
          .catch((error: unknown) => {
            const about = { kind: 'strategy_failing', subject: id, task: 'decision' } as const;
            noteProblem(context, `decision of ${version.strategyName}`, error, about);
          })
          .finally(() => asking.delete(name));
      asking.set(name, running);
      await patient(running, Math.min(patienceMs, WAIT_MS_MAX));
      return (await findDecision(database, key))?.isClosed === true;
    },
  };
}

async function patient(running: Promise<void>, waitMs: number): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([running, pause(waitMs, undefined, { signal: waiting.signal }).catch(() => undefined)]);
  waiting.abort();
}

/** Models of this machine answer within it; for others the next ticks look again. */
const WAIT_MS_MAX = 1_000;
