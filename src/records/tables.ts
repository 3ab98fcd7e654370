// The tables as Kysely types. bigint and numeric are exact text; `Generated` columns have a default.
import type { ColumnType, Generated } from 'kysely';
import type { FeeBillsTable, PaymentsTable, SubscriptionsTable } from './billing-tables.ts';
import type {
  Exact,
  ExactWithDefault,
  Json,
  NullableTimestamp,
  Timestamp,
  TimestampWithDefault,
} from './postgres/column-types.ts';
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
import type {
  BrokerConnectionsTable,
  DeploymentsTable,
  EquityMarksTable,
  ExternalFillsTable,
  FillsTable,
  HeartbeatsTable,
  LedgerEntriesTable,
  LedgerTransactionsTable,
  OrdersTable,
  PositionsTable,
  ReceiptsTable,
  TargetsTable,
} from './trading-tables.ts';

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
  position_sizes: ColumnType<unknown, string | null, string | null>;
  created_at: TimestampWithDefault;
};

type BrokerTurnsTable = {
  user_hash: string;
  path: string;
  free_at: Timestamp;
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
  job_id: string | null;
  job_run: number | null;
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
  broker_turns: BrokerTurnsTable;
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
