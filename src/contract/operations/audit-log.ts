import { z } from 'zod';
import { AUDIT_KIND_NAMES } from '#rules/operations/audit-kind.ts';
import { endpoint } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';

const auditRow = z
  .object({
    seq: z.number(),
    /** Real time, UTC, with microseconds, as it is hashed. */
    at: z.string(),
    /** `trader`, `system`, `client:` with an id, or `staff:` with an address. */
    actor: z.string(),
    /** Such as `deployment.changed`. */
    action: z.string(),
    /** Such as `deployment:` with an id. */
    subject: z.string(),
    /** JSON, exactly as it is hashed. */
    details: z.string(),
    hash: z.string(),
    /** Whether the row's hash is that of its contents and of the row before it. */
    holds: z.boolean(),
  })
  .meta({ id: 'AuditRow' });

export type AuditRow = z.infer<typeof auditRow>;

const auditChain = z
  .object({
    /** How many rows the log has, and the hash of the newest; null when it is empty. */
    rows: z.number(),
    head: z.string().nullable(),
    /** The newest signed anchor; null before the first. */
    anchor: z
      .object({ number: z.number(), row: z.number(), at: z.string(), is_sent: z.boolean() })
      .nullable(),
    /** Rows newer than it: until the next one nothing outside the database vouches for them. */
    unanchored: z.number(),
  })
  .meta({ id: 'AuditChain' });

export type AuditChain = z.infer<typeof auditChain>;

const day = (name: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, `Write ${name} as a day, such as 2026-11-25`)
    .refine((text) => !Number.isNaN(Date.parse(text)), `Write ${name} as a day that exists`)
    .optional();

const named = (words: string) => z.string().trim().min(1).max(200).optional().describe(words);

export const auditLogEndpoints = {
  listAuditLog: endpoint(ROUTES.listAuditLog, {
    room: 'operations',
    summary: 'Read the audit log',
    description:
      'Newest first, fifty rows at a time. Filters narrow each other. A statement that wrote or moved more than twenty orders names their number and digest alone, so that no filter finds it by order. For auditors and admins; anyone else gets 404.',
    security: 'bearer',
    query: z.object({
      person: named('An e-mail address or an id: what they did, and what happened to what is theirs.'),
      account: named('The number of a brokerage account.'),
      order: named('A client order id.'),
      kind: z
        .enum(AUDIT_KIND_NAMES as [(typeof AUDIT_KIND_NAMES)[number]], 'Choose one of the kinds')
        .optional()
        .describe('What was written: a kind of row.'),
      from: day('from').describe('The first day, UTC.'),
      to: day('to').describe('The last day, UTC.'),
      before: z.coerce
        .number('Write before as the number of a row')
        .int('Write before as the number of a row')
        .min(1, 'Write before as the number of a row')
        .max(Number.MAX_SAFE_INTEGER, 'Write before as the number of a row')
        .optional()
        .describe('Rows older than this one: `next` of the page before.'),
    }),
    status: 200,
    answer: z
      .object({
        results: z.array(auditRow),
        /** Null on the last page. */
        next: z.number().nullable(),
        chain: auditChain,
      })
      .meta({ id: 'AuditLog' }),
    refusals: ['not_found'],
  }),
} as const;
