// What is wrong with a file of the market history and what to do about it, as an operator reads it.
import type { HistoryFault } from '#engine/market-data/history-fault.ts';

/** A sentence that names the symbol, the file, the row group and its days, and the way out. */
export function historyFaultReason({ file, code, rowGroup, days }: HistoryFault): string {
  const symbol = file.split('/')[2] ?? file;
  const restore = `Put the file back from a backup; without one, npm run history -- remove ${symbol} and import or fetch it again.`;
  switch (code) {
    case 'missing':
      return `${symbol}: ${file} was written and is gone. ${restore}`;
    case 'not_parquet':
      return `${symbol}: ${file} is no Parquet file. ${restore}`;
    case 'unknown':
      return `${symbol}: ${file} is not the file that was written last: an older copy, or one that these records never wrote. ${restore}`;
    case 'changed': {
      const where = rowGroup === 0 || rowGroup === null ? 'the footer' : `row group ${rowGroup}`;
      const when = days === null ? '' : `, the bars of ${days.from} to ${days.to}`;
      return `${symbol}: ${file} was changed after it was written, in ${where}${when}. ${restore}`;
    }
    default:
      return code satisfies never;
  }
}
