// The stages of the chain from a market's close to a fill on a screen, handed over once each has ended. Nobody waits for what
// becomes of them, and no failure comes back. The places follow from ids in the records: any process, after any restart,
// names the same place for the same stage, so that nothing has to be stored or passed along.
import type {
  BrokerAccountId,
  ClientOrderId,
  DeploymentId,
  OrderId,
  StrategyVersionId,
  Symbol,
  TargetId,
} from '#units/identifiers.ts';
import type { WallInstant } from '#units/wall-instant.ts';

/** In the order of the chain. */
export const CHAIN_STAGES = [
  'close',
  'bars',
  'targets',
  'intent',
  'send',
  'acknowledge',
  'fill',
  'push',
] as const;
export type ChainStage = (typeof CHAIN_STAGES)[number];

export type Tracing = {
  /** False: what is handed over goes nowhere, so that nobody needs to prepare it. */
  readonly isOn: boolean;
  /** Returns at once. */
  trace(span: ChainSpan): void;
  /** How long a stage took, in seconds; a stage of many orders counts once. */
  measure(stage: ChainStage, seconds: number): void;
  /** Sends what is left, for a moment at most. */
  stop(): Promise<void>;
};

export const NO_TRACING: Tracing = {
  isOn: false,
  trace: () => undefined,
  measure: () => undefined,
  stop: () => Promise.resolve(),
};

export type ChainSpan = ChainPlace & {
  readonly from: WallInstant;
  readonly until: WallInstant;
};

export type ChainPlace = {
  /** The target from which everything follows; the order itself, where it follows from none. */
  readonly trace: TargetId | OrderId;
  readonly stage: ChainStage;
  /** What tells it from other stages of its kind in this trace. */
  readonly key: string;
  readonly parent: Pick<ChainPlace, 'stage' | 'key'> | null;
  /** Ids and codes; no amount, no account, no text of a person or a broker. */
  readonly facts: Readonly<Record<string, string | number>>;
  /** A code of ours, where it failed. */
  readonly failure?: string;
};

type Target = { readonly id: TargetId; readonly versionId: StrategyVersionId };

/** The root: from the market's close until the target of a strategy is durable. */
export function closePlace({ id, versionId }: Target): ChainPlace {
  const facts = { 'bellwether.target.id': id, 'bellwether.strategy.version': versionId };
  return { trace: id, stage: 'close', key: '', parent: null, facts };
}

/** The closed bars are read and stored. */
export function barsPlace({ id }: Target, bars: number): ChainPlace {
  return { trace: id, stage: 'bars', key: '', parent: CLOSE, facts: { 'bellwether.bars': bars } };
}

/** The strategy is evaluated, and what it wants is durable. */
export function targetsPlace({ id, versionId }: Target): ChainPlace {
  const facts = { 'bellwether.target.id': id, 'bellwether.strategy.version': versionId };
  return { trace: id, stage: 'targets', key: '', parent: CLOSE, facts };
}

const CLOSE = { stage: 'close', key: '' } as const;
const TARGETS = { stage: 'targets', key: '' } as const;

export type TracedOrder = {
  readonly id: OrderId;
  readonly targetId: TargetId | null;
  readonly decided: {
    readonly clientOrderId: ClientOrderId;
    readonly deploymentId: DeploymentId;
    readonly symbol: Symbol;
    readonly purpose: string;
  };
};

/** The decision of an order of a target, until it is durable. */
export function intentPlace(order: TracedOrder): ChainPlace {
  return { ...ofOrder(order), stage: 'intent', key: order.id, parent: TARGETS };
}

export type SentOrder = TracedOrder & { readonly sendTries: { readonly count: number } | null };

/** The last checks, until its row says that it is being sent: the root where it follows from no target. */
export function sendPlace(order: SentOrder): ChainPlace {
  const parent = order.targetId === null ? null : ({ stage: 'intent', key: order.id } as const);
  return { ...ofOrder(order), stage: 'send', key: tryOf(order), parent };
}

/** From leaving until the broker's answer is durable. `by`: the answer to the request, or the broker's lists. */
export function acknowledgePlace(
  order: SentOrder,
  { outcome, by }: { readonly outcome: string; readonly by: 'answer' | 'lists' },
): ChainPlace {
  const { facts, ...place } = ofOrder(order);
  return {
    ...place,
    stage: 'acknowledge',
    key: tryOf(order),
    parent: { stage: 'send', key: tryOf(order) },
    facts: { ...facts, 'bellwether.outcome': outcome, 'bellwether.known_by': by },
    ...(FAILURES.has(outcome) && { failure: outcome }),
  };
}

const FAILURES: ReadonlySet<string> = new Set(['rejected', 'not_sent', 'unknown']);

type Executed = { readonly accountId: BrokerAccountId; readonly executionId: string };

/** From the execution at the broker until it is booked. */
export function fillPlace(order: SentOrder, execution: Executed): ChainPlace {
  const parent = { stage: 'acknowledge', key: tryOf(order) } as const;
  return { ...ofOrder(order), stage: 'fill', key: executionKey(execution), parent };
}

/** From the booking until it has been written to the streams of its owner. */
export function pushPlace(order: TracedOrder, execution: Executed): ChainPlace {
  const key = executionKey(execution);
  return { ...ofOrder(order), stage: 'push', key, parent: { stage: 'fill', key } };
}

/** Hashed before it leaves: it holds the number of an account. */
const executionKey = ({ accountId, executionId }: Executed) => `${accountId} ${executionId}`;

/** An attempt that did not leave is another stage than the one after it. */
const tryOf = ({ id, sendTries }: SentOrder) => `${id} ${sendTries?.count ?? 0}`;

function ofOrder({
  id,
  targetId,
  decided: { clientOrderId, deploymentId, symbol, purpose },
}: TracedOrder): Pick<ChainPlace, 'trace' | 'facts'> {
  return {
    trace: targetId ?? id,
    facts: {
      'bellwether.order.id': id,
      'bellwether.order.client_id': clientOrderId,
      'bellwether.order.purpose': purpose,
      'bellwether.deployment.id': deploymentId,
      'bellwether.instrument': symbol,
    },
  };
}
