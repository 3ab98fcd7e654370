import { z } from 'zod';
import { proposal } from './proposal.ts';

export const cashDifference = z
  .object({
    id: z.string(),
    account: z.string(),
    broker_name: z.string(),
    /** E-mails of those who trade this account. */
    clients: z.array(z.string()),
    /** The account's base currency, ISO 4217. */
    currency: z.string(),
    /** Signed: what the account has beyond everything that is known to have moved. */
    amount: z.number(),
    /** The session whose statement first showed it. */
    date: z.string(),
    /** Real time. */
    since: z.string(),
    /** Null without an open one. */
    proposal: proposal.nullable(),
  })
  .meta({ id: 'CashDifference' });

export type CashDifference = z.infer<typeof cashDifference>;
