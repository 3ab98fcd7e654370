// A model in a simulated world: what it answers follows from the seed and the question, so that a world runs twice alike. Often it
// gives no answer, and nobody may ask it the same thing twice, whoever dies in between.
import { createHash } from 'node:crypto';
import type { LanguageModelPort, ModelAnswer, ModelQuestion } from '#ports/language-model.ts';
import type { World } from './world.ts';
import { allOn, decidingModel, saying } from '../support/deciding-model.ts';

export type SeededModel = {
  readonly port: LanguageModelPort;
  /** How often it was asked, and how often it answered. */
  readonly asked: () => number;
  readonly answered: () => number;
  /** Questions that came more than once. */
  readonly repeated: () => readonly string[];
};

export function seededModel(seed: number): SeededModel {
  let answered = 0;
  const model = decidingModel((question) => {
    const answer = OUTCOMES[drawn(`${seed} ${wordsOf(question)}`)]!;
    if (answer.outcome === 'object') answered += 1;
    return answer;
  });
  const texts = () => model.asked.map(wordsOf);
  return {
    port: model.port,
    asked: () => model.asked.length,
    answered: () => answered,
    repeated: () => texts().filter((text, i, all) => all.indexOf(text) !== i),
  };
}

function wordsOf({ instructions, messages }: ModelQuestion): string {
  return `${instructions}\n${messages[0]!.text}`;
}

export async function countDecided({ model, records }: World) {
  const { rows } = await records.pool.query<{ count: number }>(
    `select count(*)::int from fills f join orders o on o.id = f.order_id join deployments d on d.id = o.deployment_id
     join strategy_versions v on v.id = d.strategy_version_id
     where v.definition -> 'rule' ->> 'type' = 'decider' and o.purpose = 'rebalance'`,
  );
  return { asked: model?.asked() ?? 0, answered: model?.answered() ?? 0, decided: rows[0]!.count };
}

function drawn(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE() % OUTCOMES.length;
}

const failed = (outcome: 'unreachable' | 'too_slow' | 'refused'): ModelAnswer => ({
  outcome,
  detail: 'as scripted',
  answeredBy: null,
  usage: null,
});

const OUTCOMES: readonly ModelAnswer[] = [
  allOn('AAA'),
  allOn('BBB'),
  saying({ weights: [] }),
  saying({
    weights: [
      { instrument: 'AAA', percent: 90 },
      { instrument: 'BBB', percent: 90 },
    ],
  }),
  allOn('GME'),
  failed('unreachable'),
  failed('too_slow'),
  failed('refused'),
];
