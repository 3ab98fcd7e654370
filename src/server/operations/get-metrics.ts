import type { operationsEndpoints } from '#contract/operations/operations.ts';
import type { Call } from '../http/call.ts';
import type { Metrics } from './metrics.ts';

export function makeGetMetrics(metrics: Metrics): Call<typeof operationsEndpoints.getMetrics> {
  return () => metrics.write();
}
