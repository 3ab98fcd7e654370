import { z } from 'zod';
import { INCIDENT_KINDS, INCIDENT_MOVES, INCIDENT_SEVERITIES } from '#engine/incidents/incident-kind.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
import { FOR_STAFF } from './adjustments.ts';

export const incident = z
  .object({
    id: z.string(),
    kind: z.enum(INCIDENT_KINDS),
    /** act_now: before anything else. today: before the next session. watch: it is expected to pass. */
    severity: z.enum(INCIDENT_SEVERITIES),
    /** Whose action ends it; nobody: it passes, or it is not known yet. */
    whose_move: z.enum(INCIDENT_MOVES),
    title: z.string(),
    /** What happened, and what it means for trading and money. */
    meaning: z.string(),
    next_step: z.string(),
    /** The name of its entry in the runbook. */
    runbook: z.string(),
    /** The id of what it is about: a connection, order, execution, deployment, job, as its kind says. */
    subject: z.string(),
    symbol: z.string().nullable(),
    account: z.string().nullable(),
    broker_name: z.string().nullable(),
    /** E-mails of the clients whose deployments it concerns. */
    clients: z.array(z.string()),
    strategies: z.array(z.string()),
    deployments: z.number(),
    /** Dollars of these deployments. */
    equity: z.number(),
    /** Their exits that have not left. */
    exits_waiting: z.number(),
    /** What the failing part reported, as a quote; null where there is none. */
    quote: z.string().nullable(),
    /** Real time, like the next. */
    since: z.string(),
    last_seen_at: z.string(),
    /** What support last said about it. */
    note: z
      .object({ text: z.string(), by: z.string(), at: z.string() })
      .meta({ id: 'IncidentNote' })
      .nullable(),
    /** Whether saying that its cause is over leads to another look at once. */
    can_look_again: z.boolean(),
  })
  .meta({ id: 'Incident' });

const noteBody = z
  .object({
    note: z.string().trim().min(3, 'Say in a few words what you know').max(300),
    /** Hands it over; null leaves it with whom it is. */
    whose_move: z.enum(INCIDENT_MOVES).nullable(),
  })
  .meta({ id: 'NoteIncidentRequest' });

const lookBody = z
  .object({ note: z.string().trim().min(3, 'Say in a few words what has changed').max(300) })
  .meta({ id: 'LookAgainRequest' });

export const incidentEndpoints = {
  noteIncident: endpoint(ROUTES.noteIncident, {
    room: 'operations',
    summary: 'Say that you have seen an incident, and whose move it is',
    description: `The next person sees who said what, and when. It ends nothing and calls off no alarm. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    body: noteBody,
    status: 204,
    answer: z.void(),
    refusals: ['not_found'],
  }),
  lookAgain: endpoint(ROUTES.lookAgain, {
    room: 'operations',
    summary: 'Say that the cause of an incident is over, and have it looked at again',
    description: `A problem that does not happen again within half a minute has ended then, instead of after five; the records are checked again for an invariant. Only where can_look_again says so. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    body: lookBody,
    status: 204,
    answer: z.void(),
    refusals: ['not_found', 'in_use'],
  }),
} as const;

export type Incident = z.infer<typeof incident>;
