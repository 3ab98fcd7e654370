// What an adjustment is proposed for, with all that decides what it may be.
import type { BrokerExecution } from '#ports/broker.ts';
import {
  type Answered,
  type BookedExecution,
  listBookedExecutions,
} from '#records/adjustments/adjustments.ts';
import {
  type AskedDifference,
  type CorrectableDeployment,
  findDeskOf,
  isInCatalogue,
  listCorrectable,
  listInSuspense,
  lockDifference,
  lockHeldExecution,
} from '#records/adjustments/adjustment-cases.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { knownOf } from '#records/execution/fills.ts';
import type { AdjustmentRequest } from '#rules/operations/adjustment-problem.ts';
import type { BrokerAccountId, BrokerConnectionId, ExecutionId } from '#units/identifiers.ts';
import { type Micro, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';

export type Asked =
  | { readonly difference: string }
  | { readonly account: string; readonly execution: string };

export type Occasion = {
  readonly isOpen: boolean;
  readonly answers: Answered;
  readonly rule: AdjustmentRequest['answers'];
  readonly accountId: BrokerAccountId;
  /** The connection whose desk reports it; undefined when no deployment trades the account any more. */
  readonly desk: BrokerConnectionId | undefined;
  /** Our symbol if the instrument is in the catalogue, else the broker's description. */
  readonly symbol: string;
  readonly isInCatalogue: boolean;
  readonly deployments: readonly CorrectableDeployment[];
  /** Of the instrument, in this account. */
  readonly booked: readonly BookedExecution[];
  /** The quantity that closes the difference, or that of the held execution. Signed. */
  readonly units: Quantity;
  readonly price: number | null;
  readonly commission: Micro;
  /** The quantity that would count as traded externally. Signed; for a revision, the change from the one before. */
  readonly externalUnits: Quantity;
};

/** Undefined when there never was one. Locks the difference until the transaction ends. */
export async function findOccasion(
  trx: Transaction,
  asked: Asked,
  /** A booked execution to include, no matter how old. */
  undoes: string | null = null,
): Promise<Occasion | undefined> {
  const occasion = await ('difference' in asked
    ? ofDifference(trx, asked.difference)
    : ofExecution(trx, asked));
  if (occasion === undefined) return undefined;
  const { accountId: account, symbol, rule } = occasion;
  const revised = rule.type === 'execution' && rule.revises?.isOurs ? rule.revises.id : null;
  const ids = [undoes, revised].flatMap((id) => (id === null ? [] : [id as ExecutionId]));
  const named = ids.length === 0 ? [] : await listBookedExecutions(trx, { account, symbol, ids });
  const missing = named.filter(({ id }) => !occasion.booked.some((one) => one.id === id));
  return { ...occasion, booked: [...occasion.booked, ...missing] };
}

async function ofDifference(trx: Transaction, id: string): Promise<Occasion | undefined> {
  const difference = await lockDifference(trx, id);
  if (difference === undefined) return undefined;
  const { accountId, symbol, units, kind, price } = difference;
  return {
    isOpen: difference.isOpen,
    answers: { difference: difference.id, kind, execution: null },
    rule: ruleOf(difference),
    accountId,
    desk: await findDeskOf(trx, accountId),
    symbol,
    isInCatalogue: await isInCatalogue(trx, symbol),
    deployments: await listCorrectable(trx, { account: accountId, symbol }),
    // An external trade replaces no execution.
    booked: kind === 'unexplained' ? await listBookedExecutions(trx, { account: accountId, symbol }) : [],
    units,
    price,
    commission: ZERO_MICRO,
    externalUnits: units,
  };
}

function ruleOf({ kind, isBesideAnother, units, ours, external, theirs }: AskedDifference): Occasion['rule'] {
  if (kind === 'unexplained') return { type: 'difference', ours, external, theirs };
  return kind === 'shortfall' ? { type: kind } : { type: kind, units, isBesideAnother };
}

async function ofExecution(
  trx: Transaction,
  { account, execution }: { readonly account: string; readonly execution: string },
): Promise<Occasion | undefined> {
  const held = await lockHeldExecution(trx, { account, id: execution });
  if (held === undefined) return undefined;
  const { report, connectionId } = held;
  const accountId = account as BrokerAccountId;
  const symbol = report.symbol ?? report.brokerInstrumentId;
  const booked = await listBookedExecutions(trx, { account, symbol });
  const units = quantity(report.side === 'buy' ? report.quantity : -report.quantity);
  const revised = await revisedBy(trx, report, { account: accountId, symbol });
  const deployments = await listCorrectable(trx, { account, symbol });
  return {
    isOpen: held.isOpen,
    answers: { difference: null, execution: report.executionId },
    rule: { type: 'execution', revises: revised && { id: revised.id, isOurs: revised.isOurs } },
    accountId,
    desk: connectionId,
    symbol,
    isInCatalogue: report.symbol !== null && (await isInCatalogue(trx, symbol)),
    // Its desk books reported executions under the locks of its own shard.
    deployments: deployments.filter((one) => one.connectionId === connectionId),
    booked,
    units,
    price: report.price > 0 ? report.price : null,
    // A person fills in what is not known yet.
    commission: report.commission ?? ZERO_MICRO,
    externalUnits: quantity(units - (revised?.units ?? 0)),
  };
}

type Revised = { readonly id: ExecutionId; readonly isOurs: boolean; readonly units: Quantity };

/** The booked state of an execution that this revises; null for one reported for the first time. */
async function revisedBy(
  trx: Transaction,
  { executionId, revisionStem }: BrokerExecution,
  { account, symbol }: { readonly account: BrokerAccountId; readonly symbol: string },
): Promise<Revised | null> {
  if (revisionStem == null) return null;
  const [found] = await knownOf(trx, [{ accountId: account, executionId, revisionStem }]);
  const known = found!.revisions.filter((id) => id < executionId);
  if (known.length === 0) return null;
  const booked = await listBookedExecutions(trx, { account, symbol, ids: known });
  const counting = booked.filter(({ isUndone }) => !isUndone);
  const suspended = await listInSuspense(trx, { account, ids: known });
  const units = quantity([...counting, ...suspended].reduce((sum, one) => sum + one.units, 0));
  const last = [...known].toSorted().at(-1)!;
  // Once part of it is in suspense, no deployment’s books can take all of it.
  return { id: counting[0]?.id ?? last, isOurs: suspended.length === 0, units };
}
