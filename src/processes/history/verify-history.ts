// Recomputes every seal of every file and names what is not as it was written.
import { listHistoryFiles } from '#records/market/history-heads.ts';
import { historyFaultReason } from '#rules/reasons/history-reason.ts';
import type { HistoryTools } from './write-history.ts';

export type HistoryVerdict = {
  readonly files: number;
  readonly bars: number;
  readonly faults: readonly string[];
};

export async function verifyHistory({ database, store }: HistoryTools): Promise<HistoryVerdict> {
  const files = await listHistoryFiles(database);
  const faults = files.flatMap((file) => {
    const fault = store.check(file);
    return fault === null ? [] : [historyFaultReason(fault)];
  });
  return { files: files.length, bars: files.reduce((sum, { bars }) => sum + bars, 0), faults };
}
