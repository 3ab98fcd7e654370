import { useMemo } from 'react';
import type { Deployment } from '#contract/deployments.ts';
import type { Expected } from '../kit/chart/part/lines.tsx';
import { expectedLines } from './expected-lines.ts';
import { useExpectedRange } from './expectation-queries.ts';

/** The expected range behind a chart of these days; undefined until it is known, and where there is none. */
export function useExpectedLines(
  { id, investment_amount: invested }: Deployment,
  labels: readonly string[] | undefined,
): Expected | undefined {
  const { data } = useExpectedRange(id);
  return useMemo(
    () => (data && labels ? expectedLines(data.rows, labels, invested) : undefined),
    [data, labels, invested],
  );
}
