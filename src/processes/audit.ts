// `npm run audit`: recomputes positions, cash, day values, realised profit, high-water marks and bills from the views of the role
// `auditor`, and names each row that differs. Exits with 1 when one does, with 2 when it could not look.
import { auditBooks } from '#audit/audit-books.ts';
import { checkCloses } from '#audit/check-closes.ts';
import type { Finding } from '#audit/rows.ts';
import { readAsAuditor, readBooks, readMarket } from '#records/audit/read-as-auditor.ts';
import { withCommandDatabase } from './database/command-database.ts';
import { worldDatabase } from './database/world-database.ts';
import { commandEnvironment } from './environment/command-environment.ts';

const ROWS_SHOWN = 200;

try {
  const environment = await commandEnvironment();
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const { books, found } = await withCommandDatabase(
    environment,
    ({ database }) =>
      readAsAuditor(database, async (trx) => {
        const market = await readMarket(trx);
        const counts = { books: 0, found: 0 };
        const name = ({ kind, row, figure, stored, recomputed }: Finding) => {
          counts.found += 1;
          if (counts.found <= ROWS_SHOWN)
            say(`${kind} ${row}: ${figure} is ${stored ?? 'missing'}, recomputed ${recomputed ?? 'nothing'}`);
        };
        checkCloses(market).forEach(name);
        for await (const one of readBooks(trx)) {
          counts.books += 1;
          auditBooks(one, market).forEach(name);
        }
        return counts;
      }),
    worldDatabase(environment),
  );
  if (found > ROWS_SHOWN) say(`… and ${found - ROWS_SHOWN} more`);
  say(`${books} deployments recomputed, ${found === 0 ? 'each to the cent' : `${found} differences`}.`);
  process.exit(found === 0 ? 0 : 1);
} catch (error) {
  process.stderr.write(`audit could not run: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}
