// Checks every claim on one snapshot of the records, and the broker's side where it answers.
import type { Broker, BrokerCredentials } from '#ports/broker.ts';
import type { Database } from '#records/postgres/database.ts';
import { listTradingConnections, type TradingConnection } from '#records/brokerage/trading-connections.ts';
import { BAR_CLAIMS } from '#records/invariants/bar-claims.ts';
import type { Claim, Offence } from '#records/invariants/claim.ts';
import { CORRECTION_CLAIMS } from '#records/invariants/correction-claims.ts';
import { FEE_CLAIMS } from '#records/invariants/fee-claims.ts';
import { PERMISSION_CLAIMS } from '#records/invariants/permission-claims.ts';
import { RECORD_CLAIMS } from '#records/invariants/record-claims.ts';
import { SERVICE_CLAIMS } from '#records/invariants/service-claims.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { brokerClaims } from './broker-claims.ts';
import { DIVIDEND_CLAIMS } from './dividend-claims.ts';
import { LIFE_CYCLE_CLAIMS } from './life-cycle-claims.ts';
import { REPLAY_CLAIMS } from './replay-claims.ts';

export type Verdict = {
  readonly invariant: Claim['invariant'];
  readonly says: string;
  readonly offences: readonly Offence[];
  /** Why it could not be checked; null when it was. */
  readonly notChecked: string | null;
};

export type BrokerSide = {
  readonly broker: Broker;
  readonly openCredentials: (connectionId: BrokerConnectionId, sealed: Uint8Array) => BrokerCredentials;
  /** Lets what is under way arrive before something is called an offence. */
  readonly pause: () => Promise<void>;
};

/** `brokerSide` is null, or says why there is none, when the broker cannot be asked. */
export async function verify(database: Database, brokerSide: BrokerSide | string): Promise<Verdict[]> {
  const verdicts = await verifyRecords(database);
  for (const connection of await listTradingConnections(database, 'all')) {
    if (typeof brokerSide === 'string') {
      const says = `The broker's side of account ${connection.accountId}`;
      verdicts.push({ invariant: 'I5', says, offences: [], notChecked: brokerSide });
    } else verdicts.push(...(await verifyConnection(database, connection, brokerSide)));
  }
  return verdicts;
}

export async function verifyRecords(database: Database): Promise<Verdict[]> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      const verdicts: Verdict[] = [];
      for (const claim of CLAIMS) {
        const { invariant, says } = claim;
        verdicts.push({ invariant, says, offences: await claim.find(snapshot), notChecked: null });
      }
      return verdicts;
    });
}

async function verifyConnection(
  database: Database,
  connection: TradingConnection,
  { broker, openCredentials, pause }: BrokerSide,
): Promise<Verdict[]> {
  const opened = await broker.openSession(openCredentials(connection.id, connection.sealedCredentials));
  if (opened.outcome === 'failed') {
    const says = `The broker's side of account ${connection.accountId}`;
    return [{ invariant: 'I5', says, offences: [], notChecked: `${opened.code}: ${opened.reason}` }];
  }
  const session = opened.value;
  const verdicts: Verdict[] = [];
  for (const { invariant, says, find } of brokerClaims(connection, session)) {
    let offences: readonly Offence[] = [];
    let notChecked: string | null = null;
    try {
      for (let look = 1; look <= LOOKS; look++) {
        offences = await find(database);
        if (offences.length === 0) break;
        if (look < LOOKS) await pause();
      }
    } catch (error) {
      notChecked = error instanceof Error ? error.message : String(error);
    }
    verdicts.push({ invariant, says, offences, notChecked });
  }
  return verdicts;
}

const CLAIMS: readonly Claim[] = [
  ...RECORD_CLAIMS,
  ...CORRECTION_CLAIMS,
  ...REPLAY_CLAIMS,
  ...DIVIDEND_CLAIMS,
  ...PERMISSION_CLAIMS,
  ...LIFE_CYCLE_CLAIMS,
  ...SERVICE_CLAIMS,
  ...FEE_CLAIMS,
  ...BAR_CLAIMS,
];

/** The two sides are not read at one instant: a difference counts when it stays. */
const LOOKS = 4;
