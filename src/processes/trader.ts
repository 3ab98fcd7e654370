// The role that trades: any number run, and share the work.
import { endIncident, openIncident } from '#records/incidents/incidents.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { TRANSACTION_PATIENCE_MS } from '#records/operations/trading-shards.ts';
import { createTrader } from '#trader/trader.ts';
import { startAuditAnchors } from './audit-anchors.ts';
import { readEnvironment } from './environment/environment.ts';
import { onStopSignal } from './environment/stop-signals.ts';
import { wireTrader } from './wiring/wire-trader.ts';

const UNANCHORED = { kind: 'audit_unanchored', subject: 'audit-log' } as const;

const environment = readEnvironment();
if (environment.databaseUrl === null)
  throw new Error('DATABASE_URL is needed when a role runs alone; `npm start` runs everything');
const handle = openDatabase(environment.databaseUrl, {
  onIdleError: () => undefined,
  patienceMs: TRANSACTION_PATIENCE_MS,
});
const dependencies = await wireTrader(environment, handle);
const anchors = startAuditAnchors({
  database: handle.database,
  dataDir: environment.dataDir,
  onError: (error) => {
    dependencies.logger.error({ err: error }, 'the audit log could not be anchored');
    const facts = { task: 'anchor', said: error instanceof Error ? error.message : String(error) };
    note(openIncident(handle.database, { ...UNANCHORED, facts }, dependencies.realNow()));
  },
  onAnchored: () =>
    note(endIncident(handle.database, UNANCHORED, { how: 'cleared', at: dependencies.realNow() })),
});
/** Without a database there is no place to note it. */
function note(noted: Promise<void>): void {
  noted.catch((error: unknown) => dependencies.logger.warn({ err: error }, 'an incident was not noted'));
}

const stopping = new AbortController();
const running = createTrader(dependencies).run(stopping.signal);
onStopSignal(async () => {
  stopping.abort();
  await running;
  await anchors.stop();
  await handle.close();
});
process.stdout.write('trader serving\n');
await running;
