// Brings the database to the newest schema; safe to call from several processes at once.
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import * as people from '../migrations/0001-people.ts';
import * as catalogue from '../migrations/0002-catalogue.ts';
import * as trading from '../migrations/0003-trading.ts';
import * as agreementContent from '../migrations/0004-agreement-content.ts';
import * as evidence from '../migrations/0005-evidence.ts';
import * as mail from '../migrations/0006-mail.ts';
import * as holdingEvents from '../migrations/0008-holding-events.ts';
import * as weeklyReport from '../migrations/0007-weekly-report.ts';
import * as stream from '../migrations/0009-stream.ts';
import * as liquidation from '../migrations/0010-liquidation.ts';
import * as thumbnails from '../migrations/0011-thumbnails.ts';
import * as optionDeliveries from '../migrations/0012-option-deliveries.ts';
import * as backtestJobs from '../migrations/0014-backtest-jobs.ts';
import * as barChain from '../migrations/0013-bar-chain.ts';
import * as subscriptions from '../migrations/0015-subscriptions.ts';
import * as tradingShards from '../migrations/0017-trading-shards.ts';
import * as auditLog from '../migrations/0018-audit-log.ts';
import * as killSwitches from '../migrations/0019-kill-switches.ts';
import * as ordersInBulk from '../migrations/0020-orders-in-bulk.ts';
import * as protectiveStops from '../migrations/0021-protective-stops.ts';
import * as ordersOpenOnce from '../migrations/0022-orders-open-once.ts';
import * as feeBills from '../migrations/0023-fee-bills.ts';
import * as lateExecutions from '../migrations/0024-late-executions.ts';
import * as lateDividends from '../migrations/0025-late-dividends.ts';
import * as operationsDesk from '../migrations/0026-operations-desk.ts';
import * as linkedAccounts from '../migrations/0027-linked-accounts.ts';
import * as bookCorrections from '../migrations/0028-book-corrections.ts';
import * as haltsAreRead from '../migrations/0029-halts-are-read.ts';
import * as leanReceipts from '../migrations/0030-lean-receipts.ts';
import * as tradedByHand from '../migrations/0031-traded-by-hand.ts';
import * as positionSizes from '../migrations/0032-position-sizes.ts';
import * as brokerTurns from '../migrations/0033-broker-turns.ts';
import * as tradeLogLinks from '../migrations/0016-trade-log-links.ts';

const MIGRATIONS: Record<string, Migration> = {
  '0001-people': people,
  '0002-catalogue': catalogue,
  '0003-trading': trading,
  '0004-agreement-content': agreementContent,
  '0005-evidence': evidence,
  '0006-mail': mail,
  '0008-holding-events': holdingEvents,
  '0007-weekly-report': weeklyReport,
  '0009-stream': stream,
  '0010-liquidation': liquidation,
  '0011-thumbnails': thumbnails,
  '0012-option-deliveries': optionDeliveries,
  '0014-backtest-jobs': backtestJobs,
  '0013-bar-chain': barChain,
  '0015-subscriptions': subscriptions,
  '0017-trading-shards': tradingShards,
  '0018-audit-log': auditLog,
  '0019-kill-switches': killSwitches,
  '0020-orders-in-bulk': ordersInBulk,
  '0021-protective-stops': protectiveStops,
  '0022-orders-open-once': ordersOpenOnce,
  '0023-fee-bills': feeBills,
  '0024-late-executions': lateExecutions,
  '0025-late-dividends': lateDividends,
  '0026-operations-desk': operationsDesk,
  '0027-linked-accounts': linkedAccounts,
  '0028-book-corrections': bookCorrections,
  '0029-halts-are-read': haltsAreRead,
  '0030-lean-receipts': leanReceipts,
  '0031-traded-by-hand': tradedByHand,
  '0032-position-sizes': positionSizes,
  '0033-broker-turns': brokerTurns,
  '0016-trade-log-links': tradeLogLinks,
};

const provider: MigrationProvider = { getMigrations: () => Promise.resolve(MIGRATIONS) };

/** Throws when a migration fails; the database then stays as it was before that migration. */
export async function migrate(database: Database): Promise<void> {
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error) throw error;
}
