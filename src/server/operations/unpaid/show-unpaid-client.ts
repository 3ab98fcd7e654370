import type { UnpaidClient as Shown } from '#contract/operations/payments.ts';
import type { UnpaidClient } from '#records/fees/unpaid-clients.ts';
import { unpaidStage } from '#rules/fees/unpaid-fee.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import { unpaidRefusal } from './unpaid-refusal.ts';

export function showUnpaidClient(client: UnpaidClient): Shown {
  const { userId, email, bills, owed, oldest, running, marketAt } = client;
  if (oldest === null || marketAt === null) throw new Error('a client without an overdue bill is listed');
  return {
    id: userId,
    client: email,
    bills,
    owed: fromMicro(owed),
    due_at: isoText(oldest.dueAt),
    stage: unpaidStage(oldest.dueAt, marketAt) ?? 'overdue',
    running,
    refusal: unpaidRefusal(client)?.message ?? null,
  };
}
