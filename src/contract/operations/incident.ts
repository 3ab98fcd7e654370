import { z } from 'zod';
import { INCIDENT_KINDS, INCIDENT_MOVES, INCIDENT_SEVERITIES } from '#engine/incidents/incident-kind.ts';

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
  })
  .meta({ id: 'Incident' });

export type Incident = z.infer<typeof incident>;
