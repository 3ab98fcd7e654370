import type { incidentEndpoints } from '#contract/operations/incident.ts';
import type { IncidentKind } from '#engine/incidents/incident-kind.ts';
import { openIncident } from '#records/incidents/incidents.ts';
import { wallInstant } from '#units/wall-instant.ts';
import type { TestApp } from '../../support/test-app.ts';
import type { CasesOf } from '../call-case.ts';
import { supportPerson } from '../scene.ts';

async function opened(app: TestApp, kind: IncidentKind, subject: string) {
  const { token } = await supportPerson(app);
  const at = wallInstant(Number(app.world.now));
  const facts = { task: 'work', said: 'it does not answer', violations: 1 };
  await openIncident(app.records.database, { kind, subject, facts }, at);
  const { rows } = await app.records.pool.query<{ id: string }>(
    'select id from incidents where kind = $1 and subject = $2 and ended_at is null',
    [kind, subject],
  );
  return { token, params: { id: rows[0]!.id } };
}

const NOTE = { note: 'the feed is being mended', whose_move: 'nobody' };
const LOOK = { note: 'the feed is back' };

export const incidentCases: CasesOf<typeof incidentEndpoints> = {
  noteIncident: {
    success: async (app) => ({ ...(await opened(app, 'tick_failing', 'noted')), body: NOTE }),
  },
  lookAgain: {
    success: async (app) => ({ ...(await opened(app, 'invariant_broken', 'I1')), body: LOOK }),
    in_use: async (app) => ({ ...(await opened(app, 'trader_silent', 'looked at')), body: LOOK }),
  },
};
