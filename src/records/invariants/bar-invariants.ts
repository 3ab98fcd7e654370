// Invariants of the bars from which results are computed.
import { sql } from 'kysely';
import { findChangedBars } from '../market/changed-bars.ts';
import type { Invariant, Violation } from './invariant.ts';

export const BAR_INVARIANTS: readonly Invariant[] = [
  {
    id: 'E1',
    says: 'Every bar is the one that was written down, and none is missing',
    find: (database) => findChangedBars(database),
  },
  {
    id: 'E1',
    says: 'The chains of bars that published results name are the ones that were written down',
    find: async (database) =>
      (
        await sql<Violation>`
          select b.id as backtest_id, named.key as symbol, named.value as head
          from backtests b, jsonb_each_text(coalesce(b.bars_read -> 'heads', '{}')) named
          where not exists (
            select 1 from bar_heads h where h.symbol = named.key and h.source = b.bars_read ->> 'source'
              and h.interval = coalesce(b.bars_read ->> 'interval', '1d') and encode(h.seal, 'hex') = named.value)
            and not exists (
              select 1 from history_heads h where h.file = named.key and encode(h.seal, 'hex') = named.value)`.execute(
          database,
        )
      ).rows,
  },
];
