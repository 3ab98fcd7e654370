import type { OperationsDesk } from '#contract/operations/operations.ts';
import { CLIENT, only } from './waiting-incidents.ts';

export const WAITING_MONEY = {
  unpaid_clients: only({
    id: 'u1',
    client: CLIENT.client,
    bills: 2,
    owed: 512.4,
    due_at: '2026-01-31T12:00:00.000Z',
    stage: 'closable' as const,
    running: 2,
    refusal: null,
  }),
  refunds: only({
    id: 'p1',
    client: CLIENT.client,
    purpose: 'plan' as const,
    paid: 79,
    refunded: 0,
    charged_back: 0,
    vendor: 'stripe',
    paid_at: '2026-02-20T12:00:00.000Z',
    is_disputed: true,
  }),
} satisfies Partial<OperationsDesk>;
