// Identifiers are branded strings (UUIDs unless said otherwise): a StrategyId does not fit where a DeploymentId is asked.

type Id<Noun extends string> = string & { readonly __id: Noun };

export type UserId = Id<'user'>;
export type StrategyId = Id<'strategy'>;
export type StrategyVersionId = Id<'strategy-version'>;
export type BacktestId = Id<'backtest'>;
export type BacktestJobId = Id<'backtest-job'>;
export type AgreementId = Id<'agreement'>;
export type RiskProfileId = Id<'risk-profile'>;
export type BrokerId = Id<'broker'>;
export type BrokerConnectionId = Id<'broker-connection'>;
export type DeploymentId = Id<'deployment'>;
export type TargetId = Id<'target'>;
export type OrderId = Id<'order'>;
export type NotificationId = Id<'notification'>;

/** An instrument's own symbol in our catalogue, such as 'SPY', 'EURUSD', 'BTCUSD'. */
export type Symbol = string & { readonly __id: 'symbol' };

/** An account: in an adapter by the broker's own number, outside of it by vendor and number, see account-of-vendor.ts. */
export type BrokerAccountId = Id<'broker-account'>;

/** The id that we derive and send with an order, see engine/order/client-order-id.ts. */
export type ClientOrderId = Id<'client-order'>;

/** The broker's id of one execution. */
export type ExecutionId = Id<'execution'>;
