// The tables as Kysely types. bigint and numeric are exact text; `Generated` columns have a default.
import type { ColumnType, Generated } from 'kysely';
import type { FeeBillsTable, PaymentsTable, SubscriptionsTable } from './billing-tables.ts';
import type {
  Exact,
  ExactWithDefault,
  Json,
  JsonWithDefault,
  NullableExact,
  NullableTimestamp,
  Timestamp,
  TimestampWithDefault,
} from './column-types.ts';
import type { BacktestJobsTable } from './job-tables.ts';
import type {
  AgreementsTable,
  IdempotencyKeysTable,
  MailsTable,
  NotificationPreferencesTable,
  NotificationsTable,
  PasswordResetsTable,
  RefreshTokensTable,
  RiskProfilesTable,
  SandboxMailsTable,
  SessionsTable,
  UsersTable,
} from './person-tables.ts';

type StrategiesTable = {
  id: string;
  slug: string;
  owner_id: string | null;
  name: string;
  short_description: string;
  description: string;
  kind: string;
  strategy_type: string;
  market: string;
  risk_level: string;
  risk_score: number;
  is_featured: Generated<boolean>;
  min_investment_micro: Exact;
  fees_percent: ExactWithDefault;
  status: Generated<string>;
  created_at: TimestampWithDefault;
};

type StrategyVersionsTable = {
  id: string;
  strategy_id: string;
  number: number;
  definition: Json;
  definition_hash: string;
  committed_at: Timestamp;
};

type BacktestsTable = {
  id: string;
  strategy_version_id: string;
  input_hash: string;
  result_hash: string;
  first_date: string;
  last_date: string;
  data_as_of: Timestamp;
  bars_read: Json;
  scores: ColumnType<unknown, string | null, string | null>;
  engine_hash: string;
  data_hash: string;
  costs_hash: string;
  costs: Json;
  figures: Json;
  samples: Json;
  evidence: Json;
  series: Json;
  trades: Json;
  created_at: TimestampWithDefault;
};

type TrialsTable = {
  id: Generated<string>;
  family: string;
  strategy_version_id: string | null;
  definition_hash: string;
  input_hash: string;
  data_hash: string;
  purpose: string;
  run_by: string;
  user_id: string | null;
  at: Timestamp;
  outcome: string;
  reason: string | null;
  sharpe: number | null;
  periods: number;
  created_at: TimestampWithDefault;
};

type VariantStudiesTable = {
  strategy_version_id: string;
  engine_hash: string;
  variants: number;
  overfitting_probability: number | null;
  at: Timestamp;
};

type InstrumentsTable = {
  symbol: string;
  kind: string;
  name: string;
  currency: string;
  unit_currency: string | null;
  multiplier: ExactWithDefault;
  quantity_step: Exact;
  price_decimals: number;
  calendar: string;
  settlement: string;
  expiry: string | null;
  source: string;
};

type BarsTable = {
  symbol: string;
  interval: string;
  source: string;
  closed_at: Timestamp;
  opened_at: Timestamp;
  date: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  link: number;
  seal: Buffer;
};

type CorporateActionsTable = {
  symbol: string;
  ex_date: string;
  kind: string;
  amount: Exact;
};

type BrokersTable = {
  id: string;
  slug: string;
  name: string;
  logo: string;
  description: string;
  broker_type: string;
  supported_assets: string[];
  status: string;
  position: number;
};

type BrokerConnectionsTable = {
  id: string;
  user_id: string;
  broker_id: string;
  status: string;
  status_reason: string | null;
  is_primary: Generated<boolean>;
  state_hash: Buffer | null;
  request_token: string | null;
  sealed_credentials: Buffer | null;
  account_id: string | null;
  available_cash_micro: NullableExact;
  created_at: TimestampWithDefault;
  expires_at: Timestamp;
  connected_at: NullableTimestamp;
  linked_by: string | null;
};

type DeploymentsTable = {
  id: string;
  user_id: string;
  strategy_id: string;
  strategy_version_id: string;
  broker_connection_id: string;
  status: string;
  status_reason: string | null;
  wished_status: string | null;
  investment_micro: Exact;
  stop_loss_percent: Exact;
  max_allocation_percent: Exact;
  freeze_on_drawdown_percent: Exact;
  blind_minutes: Generated<number>;
  blind_choice: Generated<string>;
  cash_micro: Exact;
  realized_micro: ExactWithDefault;
  equity_micro: Exact;
  peak_equity_micro: Exact;
  high_water_mark_micro: Exact;
  frozen_at: NullableTimestamp;
  stopped_out: JsonWithDefault;
  applied_target_id: string | null;
  revision: ExactWithDefault;
  billed_through: NullableTimestamp;
  deployed_at: Timestamp;
  marked_at: NullableTimestamp;
  ended_at: NullableTimestamp;
  created_at: TimestampWithDefault;
};

type PositionsTable = {
  deployment_id: string;
  symbol: string;
  quantity: Exact;
  cost_micro: Exact;
  mark_price: Exact;
  current_value_micro: Exact;
  total_cost_micro: Exact;
  unrealized_micro: Exact;
  notional_micro: Exact;
  opened_at: Timestamp;
  marked_at: Timestamp;
};

type EquityMarksTable = {
  deployment_id: string;
  date: string;
  at: Timestamp;
  cash_micro: Exact;
  positions_micro: Exact;
  equity_micro: Exact;
  benchmark: NullableExact;
};

type TargetsTable = {
  id: string;
  strategy_version_id: string;
  as_of: Timestamp;
  weights: Json;
  rebalance: boolean;
  receipt: Json;
  hash: string;
  created_at: TimestampWithDefault;
  fanned_out_at: NullableTimestamp;
};

type OrdersTable = {
  id: string;
  deployment_id: string;
  broker_connection_id: string;
  client_order_id: string;
  target_id: string | null;
  cause: string;
  purpose: string;
  attempt: number;
  symbol: string;
  side: string;
  quantity: Exact;
  limit_price: Exact;
  reference_price: Exact;
  status: string;
  status_reason: string | null;
  status_code: string | null;
  filled_quantity: ExactWithDefault;
  filled_value_micro: ExactWithDefault;
  realized_micro: ExactWithDefault;
  broker_order_id: string | null;
  notes: string;
  decided_at: Timestamp;
  sent_at: NullableTimestamp;
  ended_at: NullableTimestamp;
  /** Real clock: since when its fate is unknown, or was the last time. */
  unknown_since: NullableTimestamp;
  created_at: TimestampWithDefault;
};

type FillsTable = {
  execution_id: string;
  account_id: string;
  order_id: string;
  deployment_id: string;
  symbol: string;
  side: string;
  quantity: Exact;
  price: Exact;
  commission_micro: Exact;
  realized_micro: Exact;
  executed_at: Timestamp;
  booked_at: TimestampWithDefault;
  split_ratio: ExactWithDefault;
};

type ReceiptsTable = {
  id: Generated<string>;
  deployment_id: string;
  target_id: string | null;
  at: Timestamp;
  cause: string;
  decisions: Json;
};

type ExternalFillsTable = {
  execution_id: string;
  account_id: string;
  symbol: string;
  side: string;
  quantity: Exact;
  price: Exact;
  executed_at: Timestamp;
};

type HeartbeatsTable = {
  process: string;
  beat_at: Timestamp;
  market_at: NullableTimestamp;
  details: JsonWithDefault;
};

type LedgerTransactionsTable = {
  id: string;
  deployment_id: string;
  kind: string;
  cause: string;
  at: Timestamp;
  booked_at: TimestampWithDefault;
};

type LedgerEntriesTable = {
  id: Generated<string>;
  transaction_id: string;
  deployment_id: string;
  ledger_account: string;
  currency: Generated<string>;
  amount_micro: Exact;
};

type LiquidationRequestsTable = {
  id: string;
  deployment_id: string;
  status: Generated<string>;
  requested_at: Timestamp;
  decided_at: NullableTimestamp;
  decided_by: string | null;
  reason: string | null;
  created_at: TimestampWithDefault;
};

type StrategyThumbnailsTable = {
  strategy_id: string;
  webp: Buffer;
  hash: string;
};

type TradeLogLinksTable = {
  token_hash: Buffer;
  strategy_id: string;
  user_id: string;
  backtest_id: string;
  expires_at: Timestamp;
};

type SettingsTable = {
  key: string;
  value: Json;
};

export type Tables = {
  users: UsersTable;
  sessions: SessionsTable;
  refresh_tokens: RefreshTokensTable;
  idempotency_keys: IdempotencyKeysTable;
  strategies: StrategiesTable;
  strategy_versions: StrategyVersionsTable;
  backtests: BacktestsTable;
  backtest_jobs: BacktestJobsTable;
  trials: TrialsTable;
  variant_studies: VariantStudiesTable;
  instruments: InstrumentsTable;
  bars: BarsTable;
  corporate_actions: CorporateActionsTable;
  risk_profiles: RiskProfilesTable;
  agreements: AgreementsTable;
  brokers: BrokersTable;
  broker_connections: BrokerConnectionsTable;
  deployments: DeploymentsTable;
  positions: PositionsTable;
  equity_marks: EquityMarksTable;
  targets: TargetsTable;
  orders: OrdersTable;
  fills: FillsTable;
  receipts: ReceiptsTable;
  external_fills: ExternalFillsTable;
  heartbeats: HeartbeatsTable;
  ledger_transactions: LedgerTransactionsTable;
  ledger_entries: LedgerEntriesTable;
  notifications: NotificationsTable;
  mails: MailsTable;
  sandbox_mails: SandboxMailsTable;
  password_resets: PasswordResetsTable;
  notification_preferences: NotificationPreferencesTable;
  liquidation_requests: LiquidationRequestsTable;
  strategy_thumbnails: StrategyThumbnailsTable;
  subscriptions: SubscriptionsTable;
  payments: PaymentsTable;
  fee_bills: FeeBillsTable;
  trade_log_links: TradeLogLinksTable;
  settings: SettingsTable;
};
