import type { operationsEndpoints } from '#contract/operations.ts';
import type { RoomCalls } from '../mount-room.ts';
import { makeGetDocs } from './get-docs.ts';
import { getHealth } from './get-health.ts';
import { makeGetMetrics } from './get-metrics.ts';
import { getReadiness } from './get-readiness.ts';
import type { Metrics } from './metrics.ts';

export function operationsCalls(metrics: Metrics): RoomCalls<typeof operationsEndpoints> {
  return { getHealth, getReadiness, getMetrics: makeGetMetrics(metrics), getDocs: makeGetDocs() };
}
