import type { decisionsEndpoints } from '#contract/decisions.ts';
import { isOwnDeployment } from '#records/deployments/deployment-views.ts';
import { readTimeline, type TimelineRow } from '#records/deployments/timeline.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { showTimelineEntry } from './show-timeline-entry.ts';

export const listDecisions: Call<typeof decisionsEndpoints.listDeploymentDecisions> = async (
  { params, query: { before, limit }, caller },
  { records: { pool } },
) => {
  if (!(await isOwnDeployment(pool, { id: params.id, userId: caller.userId }))) return notFound();
  const [at, key] = before?.split('~') ?? ['infinity', ''];
  const place = { at: at!, key: key! };
  // One more than asked says whether there are older ones.
  const rows = await readTimeline(pool, { id: params.id as DeploymentId, before: place, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  return {
    entries: shown.map((row) => showTimelineEntry(row, placeOf(row))),
    next: rows.length > limit ? placeOf(shown.at(-1)!) : null,
  };
};

const placeOf = ({ at, key }: TimelineRow) => `${at.toISOString()}~${key}`;
