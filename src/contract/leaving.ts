import { z } from 'zod';
import { endpoint } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

const leaving = z
  .object({
    /** Sentences: why the account cannot be closed now, and what ends each; empty when it can. */
    refusals: z.array(z.string()),
    classes: z.array(
      z.object({
        name: z.string(),
        holds: z.string(),
        /** Null: erased when the account is closed. */
        kept_years: z.number().int().nullable(),
        why: z.string(),
      }),
    ),
    /** Of the table of classes. */
    rule_version: z.string(),
    /** If it were closed now. */
    kept_until: z.string(),
  })
  .meta({ id: 'Leaving' });

export type Leaving = z.infer<typeof leaving>;

const room = { room: 'leaving', security: 'bearer' } as const;

export const leavingEndpoints = {
  getLeaving: endpoint(ROUTES.getLeaving, {
    ...room,
    summary: 'What closing your account would keep and erase, and what stands in its way',
    description: 'The classes of data are a dated table; what is kept is locked.',
    status: 200,
    answer: leaving,
    refusals: [],
  }),
  closeAccount: endpoint(ROUTES.closeAccount, {
    ...room,
    confirms: 'always',
    summary: 'Close your account for good',
    description:
      'Signs you out everywhere and erases all that the law does not keep. Refused while a deployment runs, an order is open or money is owed. email is yours, retyped. Nothing is sold by it, and nobody can undo it.',
    body: z
      .strictObject({ email: z.string('Enter the e-mail of your account').trim().toLowerCase().max(254) })
      .meta({ id: 'CloseAccountRequest' }),
    status: 200,
    answer: z.object({ closed_at: z.string(), kept_until: z.string() }).meta({ id: 'ClosedAccount' }),
    refusals: ['in_use'],
  }),
  downloadExport: endpoint(ROUTES.downloadExport, {
    ...room,
    confirms: 'always',
    opensByLink: true,
    summary: 'All of your data, as one zip file',
    description:
      'Each list as JSON and as CSV, and the signed agreements as PDF. Secrets such as passwords and broker credentials are not in it.',
    status: 200,
    answer: z.string(),
    media: 'application/zip',
    refusals: [],
  }),
} as const;
