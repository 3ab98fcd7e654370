// Checks every invariant on one snapshot of the records, and the broker's side where it answers.
import type { BrokerAnswer } from '#ports/broker.ts';
import { openSessionOf, type SessionOpener } from '#ports/brokers.ts';
import type { Database } from '#records/postgres/database.ts';
import { listTradingConnections, type TradingConnection } from '#records/brokerage/trading-connections.ts';
import { BAR_INVARIANTS } from '#records/invariants/bar-invariants.ts';
import type { Invariant, Violation } from '#records/invariants/invariant.ts';
import { ADJUSTMENT_INVARIANTS } from '#records/invariants/adjustment-invariants.ts';
import { CAPACITY_INVARIANTS } from '#records/invariants/capacity-invariants.ts';
import { CASH_INVARIANTS } from '#records/invariants/cash-invariants.ts';
import { FEE_INVARIANTS } from '#records/invariants/fee-invariants.ts';
import { FLOW_INVARIANTS } from '#records/invariants/flow-invariants.ts';
import { PERMISSION_INVARIANTS } from '#records/invariants/permission-invariants.ts';
import { RECORD_INVARIANTS } from '#records/invariants/record-invariants.ts';
import { SERVICE_INVARIANTS } from '#records/invariants/service-invariants.ts';
import { SECOND_MS } from '#units/instant.ts';
import { brokerInvariants, type BrokerReading } from './broker-invariants.ts';
import { PAYMENT_INVARIANTS } from './payment-invariants.ts';
import { LIFE_CYCLE_INVARIANTS } from './life-cycle-invariants.ts';
import { PRICE_INVARIANTS } from './price-invariants.ts';
import { REPLAY_INVARIANTS } from './replay-invariants.ts';

export type Verdict = {
  readonly invariant: Invariant['id'];
  readonly says: string;
  readonly violations: readonly Violation[];
  /** Why it could not be checked; null when it was. */
  readonly notChecked: string | null;
};

export type BrokerSide = (
  | {
      /** Over the sessions that the trader owns. */
      readonly readingOf: (connection: TradingConnection) => BrokerReading;
    }
  /** Over sessions of its own, where no trader works. */
  | SessionOpener
) & {
  /** Lets in-flight work finish before a difference is called a violation. */
  readonly pause: () => Promise<void>;
};

/** `brokerSide` is null, or the reason why the broker cannot be asked. */
export async function checkInvariants(
  database: Database,
  brokerSide: BrokerSide | string,
): Promise<Verdict[]> {
  const verdicts = await checkRecords(database);
  for (const connection of await listTradingConnections(database, 'all')) {
    if (typeof brokerSide === 'string') {
      const says = `The broker's side of account ${connection.accountId}`;
      verdicts.push({ invariant: 'I5', says, violations: [], notChecked: brokerSide });
    } else verdicts.push(...(await verifyConnection(database, connection, brokerSide)));
  }
  return verdicts;
}

export async function checkRecords(database: Database): Promise<Verdict[]> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      const verdicts: Verdict[] = [];
      for (const { id: invariant, says, find } of INVARIANTS) {
        verdicts.push({ invariant, says, violations: await find(snapshot), notChecked: null });
      }
      return verdicts;
    });
}

async function verifyConnection(
  database: Database,
  connection: TradingConnection,
  side: BrokerSide,
): Promise<Verdict[]> {
  const opened = await openReading(connection, side);
  if (opened.outcome === 'failed') {
    const says = `The broker's side of account ${connection.accountId}`;
    return [{ invariant: 'I5', says, violations: [], notChecked: `${opened.code}: ${opened.reason}` }];
  }
  const verdicts: Verdict[] = [];
  for (const { id: invariant, says, find } of brokerInvariants(connection, opened.value)) {
    let violations: readonly Violation[] = [];
    let notChecked: string | null = null;
    try {
      for (let look = 1; look <= LOOKS; look++) {
        violations = await find(database);
        if (violations.length === 0) break;
        if (look < LOOKS) await side.pause();
      }
    } catch (error) {
      notChecked = error instanceof Error ? error.message : String(error);
    }
    verdicts.push({ invariant, says, violations, notChecked });
  }
  return verdicts;
}

async function openReading(
  connection: TradingConnection,
  side: BrokerSide,
): Promise<BrokerAnswer<BrokerReading>> {
  if ('readingOf' in side) return { outcome: 'ok', value: side.readingOf(connection) };
  return openSessionOf(side, connection);
}

const INVARIANTS: readonly Invariant[] = [
  ...RECORD_INVARIANTS,
  ...ADJUSTMENT_INVARIANTS,
  ...REPLAY_INVARIANTS,
  ...PAYMENT_INVARIANTS,
  ...PERMISSION_INVARIANTS,
  ...LIFE_CYCLE_INVARIANTS,
  ...SERVICE_INVARIANTS,
  ...PRICE_INVARIANTS,
  ...FEE_INVARIANTS,
  ...FLOW_INVARIANTS,
  ...CAPACITY_INVARIANTS,
  ...CASH_INVARIANTS,
  ...BAR_INVARIANTS,
];

/** The two sides are not read at one instant: a difference counts only when it persists. */
const LOOKS = 4;
/** Between two looks. All of them outlast the 30 seconds after which the trader reads a quiet account again. */
export const PAUSE_MS = 12 * SECOND_MS;
