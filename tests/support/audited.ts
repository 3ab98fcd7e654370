// The recomputation of an auditor, under the role of an auditor.
import { auditBooks } from '#audit/audit-books.ts';
import { checkCloses } from '#audit/check-closes.ts';
import type { Finding } from '#audit/rows.ts';
import { readAsAuditor, readBooks, readMarket } from '#records/audit/read-as-auditor.ts';
import type { Database } from '#records/postgres/database.ts';

export async function audited(database: Database): Promise<Finding[]> {
  return readAsAuditor(database, async (trx) => {
    const market = await readMarket(trx);
    const found = checkCloses(market);
    for await (const books of readBooks(trx)) found.push(...auditBooks(books, market));
    return found;
  });
}
