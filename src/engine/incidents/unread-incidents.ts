// The incidents of an account whose broker lists rows that cannot be read: one for each instrument that is on hold for
// them, and one for all others of which a person must say what they are.
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import type { UnreadVerdict } from '../execution/reconciliation/unread-rows.ts';
import type { NewIncident } from './incident-changes.ts';

export const UNREAD_INCIDENTS = ['row_unread', 'instrument_unsure'] as const;

export function unreadIncidents(
  accountId: BrokerAccountId,
  verdicts: readonly UnreadVerdict[],
): readonly NewIncident<(typeof UNREAD_INCIDENTS)[number]>[] {
  const kept = verdicts.filter(
    ({ concernsUs, isForeign, isIgnored }) => !concernsUs && !isForeign && !isIgnored,
  );
  const unsure = new Map<Symbol, UnreadVerdict[]>();
  for (const verdict of verdicts)
    for (const symbol of verdict.concernsUs ? verdict.unsure : [])
      unsure.set(symbol, [...(unsure.get(symbol) ?? []), verdict]);
  const about = { subject: accountId, accountId };
  return [
    ...(kept.length === 0 ? [] : [{ ...about, kind: 'row_unread' as const, facts: factsOf(kept) }]),
    ...[...unsure].map(([symbol, rows]) => ({
      ...about,
      kind: 'instrument_unsure' as const,
      symbol,
      facts: factsOf(rows),
    })),
  ];
}

function factsOf(verdicts: readonly UnreadVerdict[]) {
  const { list = 'orders', reason: part = 'form', raw: said = '' } = verdicts[0]?.row ?? {};
  return { rows: verdicts.length, list, part, said };
}
