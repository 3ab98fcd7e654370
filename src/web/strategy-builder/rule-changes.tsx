import { useMemo } from 'react';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { Notice } from '../kit/state/notice.tsx';
import { changedRules } from './changed-rules.ts';
import { describeDefinition } from './describe-definition.ts';

type Versioned = { readonly definition?: unknown };

/** What is different from the version before, in words; of the first one, its rules. */
export function RuleChanges({ version, before }: { version: Versioned; before: Versioned | undefined }) {
  const lines = useMemo(() => {
    const now = parseDefinition(version.definition);
    const then = before && parseDefinition(before.definition);
    if (!now.ok || then?.ok === false) return null;
    return then === undefined
      ? describeDefinition(now.definition).map(({ title, text }) => ({ title, before: null, after: text }))
      : changedRules(then.definition, now.definition);
  }, [version, before]);
  if (lines === null) return <Notice tone="failure">The rules of this version can no longer be read.</Notice>;
  if (lines.length === 0)
    return <p className="text-sm text-ink-soft">Its rules read the same as those of the version before.</p>;
  return (
    <dl>
      {lines.map(({ title, before: was, after }) => (
        <div key={title} className="grid gap-x-8 gap-y-1 py-1.5 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
          <dt className="text-ink-faint">{title}</dt>
          <dd className="grid gap-1">
            {was !== null && <del className="text-ink-faint">{was}</del>}
            {after === null ? (
              <span className="text-ink-soft">Taken out</span>
            ) : (
              <ins className="no-underline">{after}</ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
