import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { describeDefinition } from './describe-definition.ts';

export type ChangedRule = {
  readonly part: string;
  readonly title: string;
  /** Null where the part is new. */
  readonly before: string | null;
  /** Null where the part is gone. */
  readonly after: string | null;
};

/** The parts of the rules that differ, in words, in the order of the newer rules; what is gone comes last. */
export function changedRules(before: StrategyDefinition, after: StrategyDefinition): readonly ChangedRule[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const changed = [...now].flatMap(([part, { title, text }]): ChangedRule[] => {
    const was = old.get(part)?.text ?? null;
    return was === text ? [] : [{ part, title, before: was, after: text }];
  });
  const gone = [...old].flatMap(([part, { title, text }]): ChangedRule[] =>
    now.has(part) ? [] : [{ part, title, before: text, after: null }],
  );
  return [...changed, ...gone];
}

/** A part may have several lines, such as buying and selling. */
function linesOf(definition: StrategyDefinition) {
  return new Map(
    describeDefinition(definition).map(({ part, title, text }) => [`${part} ${title}`, { title, text }]),
  );
}
