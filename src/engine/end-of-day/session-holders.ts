// Who held a position at the close of a session, in the order in which its end is applied, and whose holding has
// changed since then.
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import type { Quantity } from '#units/quantity.ts';
import { parseOption } from '../market/option-contract.ts';

export type Holder = {
  readonly deploymentId: DeploymentId;
  readonly symbol: Symbol;
  /** Its position at the given moment. */
  readonly entitled: Quantity;
};

/** For each deployment, its position in each instrument. */
export type Holdings = ReadonlyMap<DeploymentId, ReadonlyMap<Symbol, Quantity>>;

/** Options first: the shares held that evening are known once they are delivered. */
export function splitHolders(holders: readonly Holder[]): {
  readonly options: readonly Holder[];
  readonly others: readonly Holder[];
  /** All other positions of the option holders. */
  readonly heldByOptionHolders: Holdings;
} {
  const options = holders.filter(holdsOption);
  const others = holders.filter((holder) => !holdsOption(holder));
  const asked = new Set(options.map(({ deploymentId }) => deploymentId));
  const theirs = Map.groupBy(
    others.filter(({ deploymentId }) => asked.has(deploymentId)),
    ({ deploymentId }) => deploymentId,
  );
  const heldByOptionHolders = new Map(
    [...theirs].map(([id, held]) => [id, new Map(held.map(({ symbol, entitled }) => [symbol, entitled]))]),
  );
  return { options, others, heldByOptionHolders };
}

function holdsOption({ symbol }: Holder): boolean {
  return parseOption(symbol) !== null;
}

/** The position that each session was applied to. */
export type CountedHoldings = ReadonlyMap<string, Quantity>;

export function countHoldings(counted: CountedHoldings, holders: readonly Holder[]): CountedHoldings {
  return new Map([...counted, ...holders.map((one) => [holdingKey(one), one.entitled] as const)]);
}

/** Those whose holding differs from what was processed: an execution from before the close was booked meanwhile. */
export function changedHolders(counted: CountedHoldings, holders: readonly Holder[]): readonly Holder[] {
  return holders.filter((holder) => counted.get(holdingKey(holder)) !== holder.entitled);
}

function holdingKey({ deploymentId, symbol }: Holder): string {
  return `${deploymentId} ${symbol}`;
}
