import type { Strategy } from '#contract/strategies/strategies.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { StatRow } from '../../kit/figure/stat-row.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { useStrategyEvidence } from '../../strategies/strategy-queries.ts';
import { describeDefinition } from '../../strategy-builder/describe-definition.ts';

/** The published rules in sentences, from the definition that is hashed into the evidence. */
export function RulesTab({ strategy }: { strategy: Strategy }) {
  const passport = useStrategyEvidence(strategy.id);
  const parsed = passport.data && parseDefinition(passport.data.definition);
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
      <div className="prose-width grid content-start gap-4 text-ink-soft">
        <p>{strategy.description}</p>
        {parsed?.ok && parsed.definition.notes !== '' && (
          <p className="text-sm text-ink-faint">{parsed.definition.notes}</p>
        )}
      </div>
      {passport.isPending && <Skeleton className="h-72" />}
      {passport.isError && (
        <ErrorState title="Failed to load the rules" onRetry={() => void passport.refetch()} />
      )}
      {parsed && !parsed.ok && <p className="text-ink-soft">These rules cannot be shown in words.</p>}
      {parsed?.ok && (
        <dl className="border-t">
          {describeDefinition(parsed.definition).map(({ title, text }) => (
            <StatRow key={`${title} ${text}`} label={title}>
              <span className="text-sm">{text}</span>
            </StatRow>
          ))}
        </dl>
      )}
    </div>
  );
}
