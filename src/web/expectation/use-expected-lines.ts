import { useMemo } from 'react';
import type { Deployment } from '#contract/deployments.ts';
import type { Expected } from '../kit/chart/part/lines.tsx';
import { baseOf, basesOf, expectedLines } from './expected-lines.ts';
import { useExpectedRange } from './expectation-queries.ts';

/** The expected range behind a chart of these days; undefined until it is known, and where there is none. */
export function useExpectedLines(
  deployment: Deployment,
  series: { readonly labels: readonly string[]; readonly data: readonly number[] } | undefined,
): Expected | undefined {
  const { data } = useExpectedRange(deployment.id);
  const { flows } = deployment;
  const now = baseOf(deployment);
  return useMemo(
    () => (data && series ? expectedLines(data.rows, series.labels, basesOf(series, flows, now)) : undefined),
    [data, series, flows, now],
  );
}
