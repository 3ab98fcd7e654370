import { z } from 'zod';
import { JOB_FAILURES, JOB_KINDS } from '#rules/operations/dead-letter.ts';

export const deadLetter = z
  .object({
    id: z.string(),
    kind: z.enum(JOB_KINDS),
    /** The strategy, or the purpose of the mail; null where neither applies. */
    subject: z.string().nullable(),
    /** The e-mail of the client it belongs to; null when it belongs to none. */
    client: z.string().nullable(),
    failure: z.enum(JOB_FAILURES),
    /** The failure as a sentence. */
    reason: z.string(),
    /** The error's message. */
    detail: z.string().nullable(),
    attempts: z.number(),
    /** Real time. */
    sent_at: z.string(),
    failed_at: z.string(),
  })
  .meta({ id: 'DeadLetter' });

export type DeadLetter = z.infer<typeof deadLetter>;

export const decideDeadLetterBody = z
  .object({ decision: z.enum(['retry', 'discard'], 'Say whether to retry or to discard it') })
  .meta({ id: 'DecideDeadLetterRequest' });

export const deadLetterDecision = z
  .object({ id: z.string(), decision: z.enum(['retry', 'discard']), decided_at: z.string() })
  .meta({ id: 'DeadLetterDecision' });
