// Written by `npm run tables` from the migrated schema; a test fails when the two differ. What a column means is said in
// the SQL files of records/schema.
import type { GeneratedAlways } from 'kysely';
import type {
  BrokerAccountId,
  AgreementId,
  TargetId,
  BacktestId,
  BacktestJobId,
  BrokerConnectionId,
  BrokerId,
  ClientOrderId,
  DeploymentId,
  ExecutionId,
  NotificationId,
  OrderId,
  RiskProfileId,
  StrategyId,
  StrategyVersionId,
  Symbol,
  UserId,
} from '#units/identifiers.ts';
import type { Exact, Generated, Json, Timestamp } from './postgres/column-types.ts';

type KeyringTable = {
  id: string;
  kind: 'sealing' | 'access_token' | 'browser_mark' | 'backup_code' | 'web_push';
  wrapped: Buffer;
  wrapped_by: string;
  check_value: string;
  made_at: Generated<Timestamp>;
  replaced_at: Timestamp | null;
};

type KeyChecksTable = {
  name: string;
  number: number;
  check_value: string;
  noted_at: Generated<Timestamp>;
};

type UsersTable = {
  id: UserId;
  email: string;
  password_hash: string;
  first_name: string;
  last_name: Generated<string>;
  role: Generated<'investor' | 'provider' | 'support' | 'auditor' | 'admin'>;
  date_of_birth: string | null;
  country: string | null;
  created_at: Generated<Timestamp>;
  disabled_at: Timestamp | null;
  email_verified_at: Timestamp | null;
  fee_period: Generated<'weekly' | 'monthly'>;
  pays_fees_automatically: Generated<boolean>;
};

type SessionsTable = {
  id: string;
  user_id: UserId;
  remember: boolean;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  ended_at: Timestamp | null;
  user_agent: Generated<string>;
  address: Generated<string>;
  last_used_at: Generated<Timestamp>;
  confirmed_at: Generated<Timestamp>;
};

type RefreshTokensTable = {
  token_hash: Buffer;
  session_id: string;
  issued_at: Generated<Timestamp>;
  expires_at: Timestamp;
  rotated_at: Timestamp | null;
  successor: string | null;
};

type AuthenticatorsTable = {
  user_id: UserId;
  sealed_secret: Buffer;
  sealed_with: Generated<string> | null;
  enabled_at: Timestamp | null;
  last_step: Generated<number>;
};

type PasskeysTable = {
  id: string;
  user_id: UserId;
  credential_id: string;
  public_key: Buffer;
  counter: Exact;
  transports: string[];
  is_synced: boolean;
  name: string;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
};

type PasskeyChallengesTable = {
  challenge_hash: Buffer;
  user_id: UserId;
  purpose: 'add' | 'sign_in' | 'confirm';
  session_id: string | null;
  expires_at: Timestamp;
};

type BackupCodesTable = {
  user_id: UserId;
  code_hash: Buffer;
  hashed_with: string;
  used_at: Timestamp | null;
};

type AccountEventsTable = {
  id: GeneratedAlways<string>;
  user_id: UserId;
  kind: string;
  address: string;
  user_agent: string;
  at: Timestamp;
};

type PasswordResetsTable = {
  token_hash: Buffer;
  user_id: UserId;
  created_at: Timestamp;
  expires_at: Timestamp;
  used_at: Timestamp | null;
};

type EmailVerificationsTable = {
  token_hash: Buffer;
  user_id: UserId;
  created_at: Timestamp;
  expires_at: Timestamp;
};

type StaffInvitationsTable = {
  id: string;
  email: string;
  role: 'support' | 'provider' | 'auditor' | 'admin';
  invited_by: string | null;
  invited_at: Timestamp;
  token_hash: Buffer | null;
  expires_at: Timestamp | null;
  status: Generated<'open' | 'accepted' | 'withdrawn'>;
  ended_at: Timestamp | null;
};

type GuessLimitsTable = {
  secret: Buffer;
  guesser: Buffer;
  minute_free_at: Timestamp;
  day_free_at: Timestamp;
};

type IdempotencyKeysTable = {
  user_id: UserId;
  key: string;
  endpoint: string;
  request_hash: string;
  status: number | null;
  response: Json | null;
  created_at: Generated<Timestamp>;
};

type RiskProfilesTable = {
  id: RiskProfileId;
  user_id: UserId;
  responses: Json;
  score: number;
  risk_score: number;
  risk_tolerance: string;
  investment_experience: string;
  investment_objective: string;
  time_horizon: string;
  financial_situation: string;
  max_drawdown_tolerance: number;
  recommendations: Json;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
};

type AgreementsTable = {
  id: AgreementId;
  user_id: UserId;
  version: string;
  provider: string;
  envelope_id: string;
  signing_token_hash: Buffer | null;
  status: 'created' | 'signed' | 'declined';
  document_hash: string;
  sealed_hash: string | null;
  sealed_pdf: Buffer | null;
  unsigned_pdf: Buffer | null;
  evidence: Generated<Json>;
  signed_name: string | null;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  signed_at: Timestamp | null;
  content: Generated<Json>;
};

type AgreementDeadlinesTable = {
  version: string;
  sign_by: Timestamp;
  decided_at: Generated<Timestamp>;
};

type AgreementChangesToldTable = {
  user_id: UserId;
  version: string;
  told_at: Timestamp;
};

type ClosedAccountsTable = {
  user_id: UserId;
  email: string;
  first_name: string;
  last_name: string;
  date_of_birth: string | null;
  country: string | null;
  rule_version: string;
  closed_at: Timestamp;
  kept_until: Timestamp;
};

type DownloadLinksTable = {
  token_hash: Buffer;
  user_id: UserId;
  session_id: string;
  address: string;
  expires_at: Timestamp;
};

type BrokersTable = {
  id: BrokerId;
  slug: string;
  name: string;
  logo: string;
  description: string;
  broker_type: string;
  supported_assets: string[];
  status: 'available' | 'not_set_up' | 'coming_soon';
  position: number;
  mode: Generated<'practice' | 'real'>;
};

type BrokerConnectionsTable = {
  id: BrokerConnectionId;
  user_id: UserId;
  broker_id: BrokerId;
  status: 'pending' | 'choose_account' | 'active' | 'failed' | 'revoked';
  reason_code: 'sign_in_failed' | 'permission_rejected' | 'removed_by_owner' | null;
  reason_said: string | null;
  is_primary: Generated<boolean>;
  trades_without_market_data: Generated<boolean>;
  without_market_data_since: Timestamp | null;
  state_hash: Buffer | null;
  request_token: string | null;
  sealed_credentials: Buffer | null;
  sealed_with: Generated<string> | null;
  account_id: BrokerAccountId | null;
  is_paper: boolean | null;
  granted_accounts: Json | null;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  connected_at: Timestamp | null;
  linked_by: string | null;
  mode: Generated<'practice' | 'real'>;
};

type BrokerSessionsTable = {
  connection_id: BrokerConnectionId;
  state: 'connected' | 'sign_in_due' | 'reset_window' | 'paced' | 'degraded' | 'competing' | 'lost' | 'read_only';
  since: Timestamp;
  detail: Generated<string>;
  until: Timestamp | null;
  unresponsive_since: Timestamp | null;
  reconciled_at: Timestamp | null;
};

type BrokerRequestsTable = {
  id: string;
  connection_id: BrokerConnectionId | null;
  adviser_at: string | null;
  kind: 'accounts' | 'cash' | 'lists';
  asked_at: Generated<Timestamp>;
  expires_at: Timestamp;
  answered_at: Timestamp | null;
  answer: Json | null;
};

type AccountCashTable = {
  account_id: BrokerAccountId;
  cash_micro: Exact;
  claimed_micro: Exact;
  read_at: Timestamp;
};

type BrokerRateLimitsTable = {
  user_hash: string;
  path: string;
  free_at: Timestamp;
  holder_pid: number | null;
  holder_since: Timestamp | null;
};

type BrokerRequestPlacesTable = {
  user_hash: string;
  place: number;
  free_at: Timestamp;
};

type BrokerPenaltiesTable = {
  server: string;
  until: Timestamp;
};

type BrokerContractsTable = {
  server: string;
  symbol: Symbol;
  contract: Json;
  proven_at: Generated<Timestamp>;
};

type UnreadRowsTable = {
  connection_id: BrokerConnectionId;
  account_id: BrokerAccountId;
  list: 'orders' | 'executions' | 'positions';
  key: string;
  reason: 'form' | 'account' | 'id' | 'instrument' | 'side' | 'status' | 'quantity' | 'price' | 'commission' | 'time';
  effect: 'unsure' | 'kept' | 'foreign' | 'ignored';
  ignore_refusal: 'cut' | 'own_order' | 'own_position' | 'open_order' | null;
  symbols: string[];
  raw: string;
  content_hash: string;
  first_seen_at: Timestamp;
  last_seen_at: Timestamp;
  ended_at: Timestamp | null;
};

type BrokerInboxTable = {
  account_id: BrokerAccountId;
  execution_id: ExecutionId;
  connection_id: BrokerConnectionId;
  report: Json;
  received_at: Generated<Timestamp>;
  closed_at: Timestamp | null;
  hold_code: 'order_unconfirmed' | 'order_lost' | 'revises_booked' | 'instrument_unknown' | 'order_differs' | 'overfill' | 'price_not_positive' | null;
  hold_params: Json | null;
  is_in_opening: Generated<boolean>;
};

type PracticeAccountsTable = {
  account_id: BrokerAccountId;
  token_hash: Buffer;
  opening_micro: Exact;
  cash_micro: Exact;
  realized_micro: Generated<Exact>;
  opened_at: Timestamp;
  looked_at: Timestamp;
};

type PracticePositionsTable = {
  account_id: BrokerAccountId;
  symbol: Symbol;
  quantity: Exact;
  cost_micro: Exact;
};

type PracticeOrdersTable = {
  account_id: BrokerAccountId;
  broker_order_id: string;
  client_order_id: ClientOrderId;
  symbol: Symbol;
  side: 'buy' | 'sell';
  quantity: Exact;
  filled_quantity: Generated<Exact>;
  limit_price: Exact | null;
  stop_price: Exact | null;
  status: 'working' | 'filled' | 'cancelled' | 'expired';
  submitted_at: Timestamp;
  expires_at: Timestamp;
  changed_at: Timestamp;
};

type PracticeExecutionsTable = {
  account_id: BrokerAccountId;
  execution_id: ExecutionId;
  broker_order_id: string;
  client_order_id: ClientOrderId;
  symbol: Symbol;
  side: 'buy' | 'sell';
  quantity: Exact;
  price: Exact;
  commission_micro: Exact;
  at: Timestamp;
};

type StrategiesTable = {
  id: StrategyId;
  slug: string;
  owner_id: string | null;
  name: string;
  short_description: string;
  description: string;
  kind: 'equity' | 'forex' | 'crypto' | 'futures' | 'options';
  strategy_type: string;
  market: 'us' | 'global';
  risk_level: 'low' | 'medium' | 'high';
  risk_score: number;
  is_featured: Generated<boolean>;
  min_investment_micro: Exact;
  fees_percent: Generated<Exact>;
  status: Generated<'draft' | 'published' | 'retired'>;
  ends_on: string | null;
  replaces_id: string | null;
  created_at: Generated<Timestamp>;
};

type StrategyVersionsTable = {
  id: StrategyVersionId;
  strategy_id: StrategyId;
  number: number;
  definition: Json;
  definition_hash: string;
  committed_at: Timestamp;
  proposal_id: string | null;
  written_by_model: Generated<boolean>;
};

type StrategyThumbnailsTable = {
  strategy_id: StrategyId;
  webp: Buffer;
  hash: string;
};

type WatchedStrategiesTable = {
  user_id: UserId;
  strategy_id: StrategyId;
  since: Generated<Timestamp>;
};

type InstrumentsTable = {
  symbol: Symbol;
  kind: 'equity' | 'forex' | 'crypto' | 'futures' | 'options';
  name: string;
  currency: string;
  unit_currency: string | null;
  multiplier: Generated<Exact>;
  quantity_step: Exact;
  price_decimals: number;
  calendar: string;
  settlement: 'cash' | 'margin';
  expiry: string | null;
  source: 'sandbox' | 'import' | 'live';
};

type InstrumentFactsTable = {
  id: GeneratedAlways<string>;
  symbol: Symbol;
  kind: 'ticker' | 'name' | 'exchange' | 'calendar' | 'vendor_id' | 'listing' | 'fractionable' | 'shortable' | 'tradable';
  value: string;
  valid_from: string;
  source: string;
  known_at: Timestamp;
};

type SecurityEventsTable = {
  symbol: Symbol;
  event: 'rename' | 'merger' | 'spin_off' | 'rights' | 'unit_split' | 'redemption' | 'removal' | 'unread';
  on_date: string;
  ticker: string | null;
  source: string;
  known_at: Timestamp;
};

type BarsTable = {
  symbol: Symbol;
  interval: string;
  source: 'sandbox' | 'import' | 'live';
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

type BarHeadsTable = {
  id: GeneratedAlways<string>;
  symbol: Symbol;
  interval: string;
  source: string;
  kind: 'added' | 'removed';
  link: number;
  date: string;
  seal: Buffer;
  created_at: Generated<Timestamp>;
};

type HistoryHeadsTable = {
  id: GeneratedAlways<string>;
  file: string;
  source: 'sandbox' | 'import' | 'live';
  interval: string;
  symbol: Symbol;
  state: 'prepared' | 'written' | 'removed';
  row_groups: number;
  bars: Exact;
  revised: number;
  known_at: Timestamp;
  seal: Buffer;
};

type HistoryImportsTable = {
  fingerprint: Buffer;
  finished_at: Generated<Timestamp>;
};

type CorporateActionsTable = {
  symbol: Symbol;
  ex_date: string;
  kind: 'split' | 'dividend';
  amount: Exact;
};

type BacktestsTable = {
  id: BacktestId;
  strategy_version_id: StrategyVersionId;
  input_hash: string;
  result_hash: string;
  first_date: string;
  last_date: string;
  figures: Json;
  series: Json;
  trades: Json;
  created_at: Generated<Timestamp>;
  data_as_of: Timestamp;
  bars_read: Json;
  scores: Json | null;
  engine_hash: string;
  data_hash: string;
  costs_hash: string;
  costs: Json;
  samples: Json;
  evidence: Json;
  position_sizes: Json | null;
  capacity: Generated<Json>;
  engine_version: Generated<string>;
};

type TrialsTable = {
  id: GeneratedAlways<string>;
  strategy_id: StrategyId;
  strategy_version_id: StrategyVersionId | null;
  searcher: string | null;
  markets: string[];
  rule_kinds: string[];
  definition_hash: string;
  input_hash: string;
  data_hash: string;
  purpose: 'publication' | 'variant' | 'search' | 'renewal' | 'attack';
  run_by: 'person' | 'provider' | 'machine';
  user_id: UserId | null;
  job_id: string | null;
  job_run: number | null;
  at: Timestamp;
  outcome: 'measured' | 'failed';
  reason: string | null;
  sharpe: number | null;
  periods: number;
  first_week: number | null;
  weekly_growth: Buffer | null;
  created_at: Generated<Timestamp>;
};

type VariantStudiesTable = {
  strategy_version_id: StrategyVersionId;
  engine_hash: string;
  variants: number;
  overfitting_probability: number | null;
  loss_probability: number | null;
  at: Timestamp;
};

type AttacksTable = {
  id: string;
  strategy_version_id: StrategyVersionId;
  definition_hash: string;
  engine_hash: string;
  data_hash: string;
  verdict: 'withstood' | 'doubtful' | 'do_not_deploy' | 'not_judged';
  results: Json;
  tries: number;
  at: Timestamp;
  created_at: Generated<Timestamp>;
};

type AttackAcceptancesTable = {
  attack_id: string;
  user_id: UserId;
  verdict: string;
  name: string;
  at: Generated<Timestamp>;
};

type BacktestJobsTable = {
  id: BacktestJobId;
  strategy_id: StrategyId;
  strategy_version_id: StrategyVersionId;
  user_id: UserId;
  kind: 'backtest' | 'sweep' | 'attack' | 'search';
  search: Json | null;
  parameters: Generated<Json>;
  status: Generated<'queued' | 'running' | 'done' | 'cancelled' | 'failed'>;
  cancel_requested: Generated<boolean>;
  progress: Generated<number>;
  message: string | null;
  partial: Json | null;
  result: Json | null;
  created_at: Generated<Timestamp>;
  started_at: Timestamp | null;
  finished_at: Timestamp | null;
};

type ClaimedRecordsTable = {
  id: string;
  strategy_id: StrategyId;
  strategy_version_id: StrategyVersionId;
  source: string;
  kind: 'returns' | 'values';
  file_hash: string;
  first_date: string;
  last_date: string;
  labels: Json;
  growth: Json;
  imported_by: string;
  imported_at: Generated<Timestamp>;
  ended_at: Timestamp | null;
  ended_as: 'replaced' | 'withdrawn' | null;
};

type ModelDecisionsTable = {
  strategy_version_id: StrategyVersionId;
  form: 'plain' | 'masked' | 'perturbed';
  as_of: Timestamp;
  prompt_hash: string;
  vendor: string | null;
  model: string;
  is_stand_in: boolean;
  knowledge_until: string;
  asked_at: Timestamp;
  closes_at: Timestamp;
  closed_at: Timestamp | null;
  weights: Json | null;
  cost_micro: Generated<Exact>;
  agreement: number | null;
};

type ModelDecisionAnswersTable = {
  strategy_version_id: StrategyVersionId;
  form: string;
  as_of: Timestamp;
  sample: number;
  asked_at: Timestamp;
  reserved_micro: Exact;
  outcome: 'object' | 'refused' | 'truncated' | 'malformed' | 'unreachable' | 'too_slow' | 'over_limit' | 'denied' | 'other_model' | 'over_budget' | 'no_model' | null;
  detail: string | null;
  answered_by: string | null;
  tokens_in: number | null;
  tokens_out: number | null;
  cost_micro: Exact | null;
  object: Json | null;
  proposed: Json | null;
  answered_at: Timestamp | null;
};

type ModelProbesTable = {
  strategy_version_id: StrategyVersionId;
  form: 'plain' | 'masked' | 'perturbed';
  decisions: number;
  known_annual_return: number | null;
  annual_return: number | null;
  sharpe: number | null;
  alike: number | null;
  agreement: number | null;
  at: Timestamp;
};

type ModelReadingsTable = {
  id: string;
  user_id: UserId;
  conversation: Json;
  read_by: 'model' | 'grammar';
  because: string | null;
  vendor: string;
  model: string;
  is_stand_in: boolean;
  prompt_hash: string;
  proposal: Json | null;
  created_at: Timestamp;
};

type ModelCallsTable = {
  id: string;
  user_id: UserId;
  reading_id: string;
  round: number;
  messages: Json;
  prompt_hash: string;
  reserved_tokens: number;
  reserved_micro: Exact;
  asked_at: Timestamp;
};

type ModelAnswersTable = {
  call_id: string;
  user_id: UserId;
  outcome: 'object' | 'refused' | 'truncated' | 'malformed' | 'unreachable' | 'too_slow' | 'over_limit' | 'denied';
  detail: string | null;
  answered_by: string | null;
  tokens_in: number | null;
  tokens_out: number | null;
  cost_micro: Exact | null;
  object: Json | null;
  answered_at: Timestamp;
};

type DraftWordsTable = {
  strategy_version_id: StrategyVersionId;
  user_id: UserId;
  conversation: Json;
  reading_id: string | null;
  decisions: Json;
  said_at: Timestamp;
};

type DeploymentsTable = {
  id: DeploymentId;
  user_id: UserId;
  strategy_id: StrategyId;
  strategy_version_id: StrategyVersionId;
  broker_connection_id: BrokerConnectionId;
  status: 'pending' | 'active' | 'paused' | 'frozen' | 'stopping' | 'liquidating' | 'liquidated' | 'stopped' | 'failed';
  reason_code: 'broker_not_connected' | 'agreement_not_signed' | 'risk_profile_missing' | 'not_suitable' | 'fee_unpaid' | 'cash_not_reported' | 'cash_not_enough' | 'awaits_capacity' | 'paused' | 'closing' | 'drawdown_limit' | 'quarantined' | null;
  reason_params: Json | null;
  requested_status: 'active' | 'paused' | 'stopped' | 'liquidated' | null;
  awaits_cash: Generated<boolean>;
  investment_micro: Exact;
  withdrawing_micro: Generated<Exact>;
  return_base_micro: Exact;
  stop_loss_percentage: Exact;
  max_allocation_percent: Exact;
  freeze_on_drawdown_percent: Exact;
  cash_micro: Exact;
  realized_micro: Generated<Exact>;
  equity_micro: Exact;
  peak_equity_micro: Exact;
  high_water_mark_micro: Exact;
  frozen_at: Timestamp | null;
  freeze_lifted_at: Timestamp | null;
  stopped_out: Generated<Json>;
  applied_target_id: TargetId | null;
  revision: Generated<Exact>;
  deployed_at: Timestamp;
  marked_at: Timestamp | null;
  ended_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  disconnect_minutes: Generated<number>;
  disconnect_choice: Generated<'wait' | 'pause' | 'close'>;
  tripwire_choice: Generated<'notify' | 'exits_only' | 'halve'>;
  tripwire_state: Generated<'green' | 'amber' | 'red'>;
  tripwire_since: Timestamp | null;
  billed_through: Timestamp | null;
  mode: Generated<'practice' | 'real'>;
  shadow_of: string | null;
};

type PositionsTable = {
  deployment_id: DeploymentId;
  symbol: Symbol;
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
  deployment_id: DeploymentId;
  date: string;
  at: Timestamp;
  cash_micro: Exact;
  positions_micro: Exact;
  equity_micro: Exact;
  benchmark: Exact | null;
  held: Generated<Json>;
  follows: Generated<boolean>;
};

type CutOffMarksTable = {
  deployment_id: DeploymentId;
  at: Timestamp;
  cash_micro: Exact;
  equity_micro: Exact;
  held: Json;
};

type TargetsTable = {
  id: TargetId;
  strategy_version_id: StrategyVersionId;
  as_of: Timestamp;
  weights: Json;
  rebalance: boolean;
  turn: number | null;
  receipt: Json;
  hash: string;
  created_at: Generated<Timestamp>;
  fanned_out_at: Timestamp | null;
};

type OrdersTable = {
  id: OrderId;
  deployment_id: DeploymentId;
  broker_connection_id: BrokerConnectionId;
  client_order_id: ClientOrderId;
  target_id: TargetId | null;
  cause: string;
  purpose: 'rebalance' | 'stop_loss' | 'liquidation' | 'margin_call' | 'protective';
  attempt: number;
  symbol: Symbol;
  side: 'buy' | 'sell';
  quantity: Exact;
  limit_price: Exact;
  reference_price: Exact;
  status: 'intended' | 'sending' | 'working' | 'filled' | 'cancelled' | 'rejected' | 'expired' | 'withdrawn' | 'unknown';
  filled_quantity: Generated<Exact>;
  filled_value_micro: Generated<Exact>;
  realized_micro: Generated<Exact>;
  broker_order_id: string | null;
  visibility: Generated<'never_shown' | 'shown' | 'shown_earlier'>;
  absent_since: Timestamp | null;
  send_tries: Generated<number>;
  send_tried_at: Timestamp | null;
  cancel_tries: Generated<number>;
  cancel_tried_at: Timestamp | null;
  cancel_looks: Generated<number>;
  stop_loss_percentage: Exact | null;
  priced_at: Timestamp | null;
  decided_at: Timestamp;
  sent_at: Timestamp | null;
  ended_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  reason_code: 'position_order_first' | 'stop_not_cancelled' | 'stop_not_confirmed' | 'opposite_order' | 'exit_first' | 'call_first' | 'quantity_not_available' | 'instrument_unsure' | 'order_lost' | 'not_sent' | 'checks_expired' | 'no_current_price' | 'price_doubted' | 'trading_halted' | 'account_restricted' | 'cancel_requested' | 'cancel_not_confirmed' | 'parked' | 'fill_begun' | 'no_answer' | 'executions_missing' | 'not_listed' | 'paused' | 'paused_or_ended' | 'deployment_stopped' | 'frozen' | 'agreement_not_signed' | 'not_suitable' | 'fee_unpaid' | 'below_record' | 'nothing_to_close' | 'position_changed' | 'position_corrected' | 'stop_filled_first' | 'target_superseded' | 'instrument_removed' | 'day_over_unsent' | 'price_too_old' | 'resized' | 'cancelled' | 'rejected' | 'expired' | 'not_confirmed' | 'never_shown' | 'day_over' | 'resolved_by_staff' | 'fill_corrected' | null;
  reason_params: Json | null;
  reason_since: Timestamp | null;
  unknown_since: Timestamp | null;
};

type FillsTable = {
  execution_id: ExecutionId;
  account_id: BrokerAccountId;
  order_id: OrderId;
  deployment_id: DeploymentId;
  symbol: Symbol;
  side: 'buy' | 'sell';
  quantity: Exact;
  price: Exact;
  commission_micro: Exact;
  is_provisional: Generated<boolean>;
  commission_revision: Generated<number>;
  realized_micro: Exact;
  executed_at: Timestamp;
  booked_at: Generated<Timestamp>;
  written_in: Generated<string>;
  split_ratio: Generated<Exact>;
  booking_place: Generated<Exact>;
};

type SuspenseEntriesTable = {
  account_id: BrokerAccountId;
  kind: 'opening' | 'external_trade' | 'difference' | 'shortfall' | 'released' | 'reversed' | 'transfer' | 'coin_fee';
  execution_id: ExecutionId;
  symbol: string;
  side: string;
  quantity: Exact;
  price: Exact;
  executed_at: Timestamp;
  commission_micro: Exact | null;
};

type ReceiptsTable = {
  id: GeneratedAlways<string>;
  deployment_id: DeploymentId;
  target_id: TargetId | null;
  at: Timestamp;
  cause: string;
  refusals: Json | null;
  decision: Json | null;
};

type PositionEventsTable = {
  id: GeneratedAlways<string>;
  deployment_id: DeploymentId;
  symbol: Symbol;
  kind: 'split' | 'dividend' | 'swap' | 'expiry' | 'exercise' | 'assignment' | 'coin_fee' | 'adjustment';
  date: string;
  event: Json;
  entitled: Exact;
  realized_micro: Exact;
  after_entry: Exact;
  at: Timestamp;
  execution: Generated<string>;
  booking_place: Generated<Exact>;
  held: Generated<Exact>;
  cost_micro: Generated<Exact>;
};

type TradersTable = {
  id: string;
  lock_key: Exact;
  expires_at: Timestamp;
  started_at: Generated<Timestamp>;
};

type TradingShardsTable = {
  shard: number;
  holder: string | null;
  fence: Generated<Exact>;
  expires_at: Generated<Timestamp>;
};

type ProcessedSessionsTable = {
  calendar: string;
  date: string;
  shard: number;
};

type ExpectedRangesTable = {
  deployment_id: DeploymentId;
  made_at: Timestamp;
  why_none: Json | null;
  engine_hash: string | null;
  input_hash: string | null;
  result_hash: string | null;
  first_date: string | null;
  last_date: string | null;
  terms: Json | null;
  record_days: number | null;
  days_in_sample: number | null;
  range: Json | null;
  published: Json | null;
};

type TripwireEvidenceTable = {
  deployment_id: DeploymentId;
  judged_until: string | null;
  equity_micro: Exact | null;
  judged_at: Timestamp | null;
  follows: boolean | null;
  evidence: Json;
  acknowledged: Generated<number>;
};

type AttestationsTable = {
  id: GeneratedAlways<string>;
  user_id: UserId;
  kind: string;
  basis: 'assets_under_management' | 'net_worth' | null;
  is_withdrawal: boolean;
  rule_version: string;
  text: string;
  address: string;
  user_agent: string;
  at: Generated<Timestamp>;
};

type EligibilityDecisionsTable = {
  id: GeneratedAlways<string>;
  user_id: UserId;
  rule: 'investing' | 'performance_fee' | 'hypothetical_figures';
  rule_version: string;
  occasion: 'details' | 'agreement' | 'deployment' | 'attestation' | 'billing' | 'figures';
  inputs: Json;
  outcome: 'allowed' | 'refused';
  reasons: string[];
  at: Generated<Timestamp>;
};

type FigureSwitchesTable = {
  id: GeneratedAlways<string>;
  status: 'visitor' | 'person' | 'client';
  country: string | null;
  is_shown: boolean;
  at: Generated<Timestamp>;
};

type AdviceRecordsTable = {
  id: GeneratedAlways<string>;
  user_id: UserId;
  strategy_id: StrategyId;
  deployment_id: DeploymentId | null;
  occasion: 'deploy' | 'deposit' | 'resume' | 'client_score' | 'strategy_score';
  rule_version: string;
  inputs: Json;
  outcome: 'suitable' | 'beyond_joint_tolerance' | 'not_suitable' | 'risk_profile_missing';
  at: Generated<Timestamp>;
};

type IdentityChecksTable = {
  id: GeneratedAlways<string>;
  user_id: UserId;
  provider: string;
  reference: string;
  status: 'passed' | 'review' | 'failed';
  documents: 'verified' | 'unclear' | 'rejected';
  sanctions: Json;
  inputs: Json;
  at: Generated<Timestamp>;
};

type LedgerTransactionsTable = {
  id: string;
  deployment_id: DeploymentId;
  kind: 'opening' | 'flow' | 'fill' | 'position_event' | 'fee' | 'closing' | 'adjustment' | 'commission';
  cause: string;
  at: Timestamp;
  booked_at: Generated<Timestamp>;
};

type LedgerEntriesTable = {
  id: GeneratedAlways<string>;
  transaction_id: string;
  deployment_id: DeploymentId;
  ledger_account: 'capital' | 'cash' | 'holdings' | 'realized' | 'commission' | 'fees' | 'payable' | 'rounding';
  currency: Generated<string>;
  amount_micro: Exact;
};

type RoundTripsTable = {
  deployment_id: DeploymentId;
  symbol: Symbol;
  number: number;
  side: 'long' | 'short';
  opened_at: Timestamp;
  closed_at: Timestamp | null;
  quantity: Exact;
  entry_price: Exact;
  exit_price: Exact | null;
  entry_value_micro: Exact;
  commission_micro: Exact;
  income_micro: Exact;
  pnl_micro: Exact;
  closed_by: 'order' | 'expiry' | 'exercise' | 'assignment' | 'coin_fee' | 'adjustment' | null;
  first_place: Exact;
  last_place: Exact | null;
  is_reversal: boolean;
};

type DeploymentFlowsTable = {
  id: string;
  deployment_id: DeploymentId;
  kind: 'deposit' | 'withdrawal';
  status: Generated<'pending' | 'done' | 'refused' | 'cancelled'>;
  requested_micro: Exact;
  moved_micro: Exact | null;
  value_before_micro: Exact | null;
  reason_code: 'awaits_sales' | 'awaits_capacity' | 'paused' | 'cash_not_reported' | 'cash_not_enough' | 'broker_not_connected' | 'agreement_not_signed' | 'fee_unpaid' | 'risk_profile_missing' | 'not_suitable' | 'frozen' | 'closing' | 'quarantined' | 'not_begun' | 'below_minimum' | 'nothing_left' | 'nothing_freed' | null;
  repeats: string | null;
  requested_at: Timestamp;
  sized_at: Timestamp | null;
  ended_at: Timestamp | null;
  created_at: Generated<Timestamp>;
};

type CapacityLimitsTable = {
  id: GeneratedAlways<string>;
  strategy_id: StrategyId;
  limit_micro: Exact | null;
  set_by: string;
  set_at: Generated<Timestamp>;
};

type CapacityPlacesTable = {
  strategy_id: StrategyId;
  place: Exact;
  deployment_id: DeploymentId;
  flow_id: string | null;
  amount_micro: Exact;
  signed_at: Generated<Timestamp>;
  admitted_at: Timestamp | null;
  capacity_micro: Exact | null;
  in_use_micro: Exact | null;
};

type AccountOpeningsTable = {
  account_id: BrokerAccountId;
  connection_id: BrokerConnectionId;
  currency: string;
  cash_micro: Exact;
  at: Timestamp;
  recorded_at: Generated<Timestamp>;
};

type CashStatementsTable = {
  account_id: BrokerAccountId;
  date: string;
  opening_micro: Exact;
  trades_micro: Exact;
  commissions_micro: Exact;
  dividends_micro: Exact;
  swaps_micro: Exact;
  deliveries_micro: Exact;
  adjustments_micro: Exact;
  external_trades_micro: Exact;
  netting_micro: Exact;
  transfers_micro: Exact;
  interest_micro: Exact;
  fees_micro: Exact;
  apart_micro: Exact;
  conversion_micro: Exact;
  unexplained_micro: Exact;
  closing_micro: Exact;
  taken_at: Timestamp;
  is_final: boolean;
};

type CashBreaksTable = {
  id: Generated<string>;
  account_id: BrokerAccountId;
  currency: string;
  unexplained_micro: Exact;
  date: string;
  since: Generated<Timestamp>;
  ended_at: Timestamp | null;
};

type CashMovementsTable = {
  account_id: BrokerAccountId;
  reference: string;
  line: 'transfers' | 'dividends' | 'interest' | 'fees' | 'apart';
  amount_micro: Exact;
  at: Timestamp;
};

type CashActivitiesTable = {
  account_id: BrokerAccountId;
  activity_id: string;
  kind: 'dividend' | 'withholding_tax' | 'interest' | 'swap' | 'fee' | 'trading_fee' | 'coin_fee' | 'deposit' | 'withdrawal' | 'delivery' | 'other';
  symbol: Symbol | null;
  amount_micro: Exact;
  units: Exact | null;
  date: string;
  charged_by: 'worth' | 'units' | null;
  seen_at: Timestamp;
  verdict: 'opening' | 'owner' | 'event' | 'open';
  session_date: string | null;
};

type StatedChangesTable = {
  deployment_id: DeploymentId;
  symbol: Symbol;
  kind: 'dividend' | 'swap' | 'delivery' | 'trading_fee';
  date: string;
  number: number;
  change_micro: Exact;
  at: Timestamp;
  booking_place: Generated<Exact>;
};

type FeeBillsTable = {
  id: string;
  deployment_id: DeploymentId;
  number: number;
  is_closing: boolean;
  has_estimates: boolean;
  period_start: Timestamp;
  period_end: Timestamp;
  ledger_through: Exact;
  capital_micro: Exact;
  settled_result_micro: Exact;
  worth_micro: Exact | null;
  worth_at: Timestamp | null;
  worth_cash_micro: Exact | null;
  worth_held: Json | null;
  high_water_before_micro: Exact;
  net_flow_micro: Exact;
  adjusted_mark_micro: Exact;
  closing_value_micro: Exact;
  profit_micro: Exact;
  fee_percent: Exact;
  fee_micro: Exact;
  high_water_after_micro: Exact;
  due_at: Timestamp;
  billed_at: Generated<Timestamp>;
};

type FeePaymentsTable = {
  id: string;
  bill_id: string;
  amount_micro: Exact;
  currency: Generated<string>;
  vendor: string;
  vendor_reference: string;
  is_automatic: boolean;
  paid_at: Timestamp;
};

type FeeCorrectionsTable = {
  id: string;
  bill_id: string;
  deployment_id: DeploymentId;
  number: number;
  ledger_through: Exact;
  settled_result_micro: Exact;
  closing_value_micro: Exact;
  profit_micro: Exact;
  fee_micro: Exact;
  credit_micro: Exact;
  at: Timestamp;
};

type SubscriptionsTable = {
  user_id: UserId;
  plan: 'free' | 'basic' | 'pro' | 'enterprise';
  billing_interval: 'monthly' | 'yearly';
  chosen_at: Timestamp;
  period_start: Timestamp | null;
  period_end: Timestamp | null;
  period_price_micro: Exact;
  credit_micro: Generated<Exact>;
  cancelled_at: Timestamp | null;
  renewal_failure: string | null;
};

type PaymentsTable = {
  id: string;
  number: GeneratedAlways<string>;
  user_id: UserId;
  kind: 'start' | 'change' | 'renewal';
  plan: string;
  billing_interval: string;
  period_start: Timestamp;
  period_end: Timestamp;
  price_micro: Exact;
  credit_used_micro: Exact;
  amount_micro: Exact;
  currency: Generated<string>;
  vendor: string;
  vendor_reference: string | null;
  paid_at: Timestamp;
};

type ChargesTable = {
  id: string;
  user_id: UserId;
  purpose: 'plan' | 'fee';
  amount_micro: Exact;
  vendor: string;
  quote: Json | null;
  bill_id: string | null;
  is_automatic: boolean;
  status: Generated<'open' | 'paid' | 'withdrawn'>;
  page_url: string | null;
  vendor_reference: string | null;
  paid_micro: Exact | null;
  opened_at: Timestamp;
  ended_at: Timestamp | null;
};

type RefundsTable = {
  id: string;
  charge_id: string;
  amount_micro: Exact;
  because: string;
  status: Generated<'agreed' | 'made' | 'refused'>;
  vendor_reference: string | null;
  refusal: string | null;
  agreed_at: Timestamp;
  ended_at: Timestamp | null;
};

type DisputesTable = {
  id: string;
  vendor: string;
  charge_id: string | null;
  amount_micro: Exact;
  because: string;
  status: 'open' | 'won' | 'lost';
  respond_by: Timestamp | null;
  opened_at: Timestamp;
  ended_at: Timestamp | null;
};

type ChargebacksTable = {
  dispute_id: string;
  number: number;
  charge_id: string;
  amount_micro: Exact;
  credit_micro: Generated<Exact>;
  due_at: Timestamp | null;
  at: Timestamp;
};

type PayersTable = {
  user_id: UserId;
  vendor: string;
  customer: string;
};

type LedgerPaymentsTable = {
  reference: string;
  amount_micro: Exact;
};

type LedgerRefundsTable = {
  id: string;
  reference: string;
  amount_micro: Exact;
};

type IncidentsTable = {
  id: Generated<string>;
  kind: string;
  subject: string;
  symbol: Symbol | null;
  connection_id: BrokerConnectionId | null;
  account_id: BrokerAccountId | null;
  deployment_id: DeploymentId | null;
  facts: Generated<Json>;
  severity: 'act_now' | 'today' | 'watch';
  whose_move: 'staff' | 'owner' | 'broker' | 'nobody';
  since: Timestamp;
  last_seen_at: Timestamp;
  ended_at: Timestamp | null;
  ended_how: 'cleared' | 'unseen' | 'obsolete' | null;
};

type IncidentNotesTable = {
  id: GeneratedAlways<string>;
  incident_id: string;
  note: string;
  whose_move: 'staff' | 'owner' | 'broker' | 'nobody' | null;
  looks_again: Generated<boolean>;
  noted_by: string;
  noted_at: Timestamp;
};

type NotificationsTable = {
  id: NotificationId;
  user_id: UserId;
  deployment_id: DeploymentId | null;
  kind: string;
  facts: Json;
  cause: string;
  decision: string | null;
  read_at: Timestamp | null;
  created_at: Timestamp;
  written_at: Generated<Timestamp>;
  written_in: Generated<string>;
};

type NewsChoicesTable = {
  user_id: UserId;
  news: string;
  channel: string;
  is_on: boolean;
  updated_at: Generated<Timestamp>;
};

type MailsTable = {
  id: string;
  user_id: UserId | null;
  to_address: string | null;
  purpose: 'password_reset' | 'notification' | 'performance_report' | 'alarm' | 'invitation' | 'verification';
  invitation_id: string | null;
  incident_id: string | null;
  alarm_event: 'opened' | 'ended' | null;
  notification_id: NotificationId | null;
  cause: string;
  status: Generated<'waiting' | 'sending' | 'sent' | 'failed' | 'unknown'>;
  problem: string | null;
  sent_with: string | null;
  ended_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  week: string | null;
};

type SandboxMailsTable = {
  id: GeneratedAlways<string>;
  recipient: string;
  subject: string;
  text: string;
  received_at: Generated<Timestamp>;
};

type NewsAddressesTable = {
  id: string;
  user_id: UserId;
  channel: 'push' | 'telegram';
  name: string;
  sealed_address: Buffer;
  sealed_with: Generated<string> | null;
  fingerprint: Buffer;
  vapid_key: string | null;
  created_at: Timestamp;
};

type NewsDeliveriesTable = {
  id: string;
  user_id: UserId;
  address_id: string | null;
  channel: string;
  address_name: string;
  notification_id: NotificationId | null;
  status: Generated<'waiting' | 'taken' | 'failed'>;
  attempts: Generated<number>;
  problem: string | null;
  created_at: Generated<Timestamp>;
  tried_at: Timestamp | null;
};

type TelegramCodesTable = {
  user_id: UserId;
  code_hash: Buffer;
  expires_at: Timestamp;
};

type ApiKeysTable = {
  id: string;
  user_id: UserId;
  name: string;
  prefix: string;
  secret_hash: Buffer;
  scopes: string[];
  budget_micro: Exact | null;
  acts_per_day: number | null;
  created_at: Timestamp;
  expires_at: Timestamp;
  last_used_at: Timestamp | null;
  revoked_at: Timestamp | null;
};

type ApiKeyDeploymentsTable = {
  user_id: UserId;
  api_key_id: string;
  deployment_id: DeploymentId;
  is_made: boolean;
};

type ApiKeyActsTable = {
  id: string;
  user_id: UserId;
  api_key_id: string;
  call: string;
  params: Json;
  body: Json;
  deployment_id: DeploymentId | null;
  strategy_name: string | null;
  amount_micro: Exact;
  status: 'running' | 'done' | 'refused' | 'waiting' | 'declined' | 'withdrawn';
  requested_at: Timestamp;
  expires_at: Timestamp | null;
  decided_at: Timestamp | null;
  outcome: string | null;
};

type WebhooksTable = {
  id: string;
  user_id: UserId;
  url: string;
  news: string[];
  sealed_secrets: Buffer;
  sealed_with: Generated<string> | null;
  former_until: Timestamp | null;
  created_at: Timestamp;
  failing_since: Timestamp | null;
  disabled_at: Timestamp | null;
  disabled_because: 'owner' | 'failing' | 'gone' | null;
};

type WebhookDeliveriesTable = {
  id: string;
  user_id: UserId;
  webhook_id: string;
  notification_id: NotificationId | null;
  status: Generated<'waiting' | 'taken' | 'failed'>;
  attempts: Generated<number>;
  answered: number | null;
  problem: string | null;
  created_at: Generated<Timestamp>;
  tried_at: Timestamp | null;
};

type SettingsTable = {
  key: string;
  value: Json;
};

type HeartbeatsTable = {
  process: string;
  beat_at: Timestamp;
  market_at: Timestamp | null;
  details: Generated<Json>;
};

type ChainLatenciesTable = {
  stage: string;
  counts: string[];
  seconds: number;
};

type KillSwitchesTable = {
  id: string;
  scope: 'global' | 'broker' | 'strategy' | 'client' | 'deployment' | 'own';
  target: string | null;
  cancels_working: boolean;
  because: string;
  set_by: string;
  set_at: Generated<Timestamp>;
  lifted_by: string | null;
  lifted_at: Timestamp | null;
};

type LiquidationRequestsTable = {
  id: string;
  deployment_id: DeploymentId;
  status: Generated<'open' | 'approved' | 'declined' | 'withdrawn'>;
  requested_at: Timestamp;
  decide_by: Generated<Timestamp>;
  decided_at: Timestamp | null;
  decided_by: string | null;
  reason: string | null;
  created_at: Generated<Timestamp>;
};

type OrderResolutionsTable = {
  order_id: OrderId;
  verdict: 'never_arrived' | 'arrived';
  broker_order_id: string | null;
  because: string;
  decided_by: string;
  decided_at: Generated<Timestamp>;
  carried_out_at: Timestamp | null;
};

type ReconciliationBreaksTable = {
  id: Generated<string>;
  account_id: BrokerAccountId;
  symbol: Symbol;
  ours: Exact;
  external: Exact;
  theirs: Exact;
  since: Generated<Timestamp>;
  ended_at: Timestamp | null;
  kind: Generated<'unexplained' | 'external_trade' | 'shortfall'>;
  units: Exact | null;
  price: Exact | null;
  traded_at: Timestamp | null;
};

type HoldingsBesideTable = {
  account_id: BrokerAccountId;
  symbol: Symbol;
  quantity: Exact;
  noted_at: Generated<Timestamp>;
};

type AdjustmentsTable = {
  id: string;
  account_id: BrokerAccountId;
  connection_id: BrokerConnectionId;
  break_id: string | null;
  execution_id: ExecutionId | null;
  seen: string;
  closes_as: 'adjustment' | 'external';
  deployment_id: DeploymentId | null;
  symbol: Symbol;
  undoes_execution: string | null;
  units: Exact;
  price: Exact | null;
  commission_micro: Generated<Exact>;
  because: string;
  proposed_by: string;
  proposed_at: Generated<Timestamp>;
  status: Generated<'open' | 'approved' | 'declined' | 'void' | 'applied'>;
  decided_by: string | null;
  decided_at: Timestamp | null;
  outcome: string | null;
  ended_at: Timestamp | null;
  applied_at: Timestamp | null;
  net_units: Exact | null;
  cash_micro: Exact | null;
  realized_micro: Exact | null;
  net_commission_micro: Exact | null;
  booked_profit_micro: Exact | null;
  order_id: OrderId | null;
  filled_change: Exact | null;
  explanation: string | null;
};

type DeadLetterDecisionsTable = {
  id: string;
  queue: string;
  about: string | null;
  code: string;
  decision: 'retry' | 'discard';
  decided_by: string;
  decided_at: Generated<Timestamp>;
};

type ProposalsTable = {
  id: string;
  action: 'ignore_row' | 'state_commission' | 'acknowledge' | 'release' | 'rebuild_books' | 'explain_cash' | 'lift_halt' | 'cancel_orders' | 'liquidate' | 'resolve_order' | 'publish' | 'retire' | 'require_signature' | 'hide_figures' | 'show_figures' | 'close_unpaid' | 'refund';
  account_id: BrokerAccountId | null;
  subject: string;
  seen: string;
  amount_micro: Exact | null;
  cause: 'deposit' | 'withdrawal' | 'dividend' | 'interest' | 'fee' | 'apart' | null;
  until: Timestamp | null;
  broker_order_id: string | null;
  because: string;
  proposed_by: string;
  proposed_at: Generated<Timestamp>;
  status: Generated<'open' | 'approved' | 'declined' | 'void' | 'over'>;
  decided_by: string | null;
  decided_at: Timestamp | null;
  outcome: string | null;
};

type StopRetriesTable = {
  order_id: OrderId;
  because: string;
  asked_by: string;
  asked_at: Generated<Timestamp>;
};

type ClientNotesTable = {
  id: string;
  user_id: UserId;
  note: string;
  written_by: string;
  written_at: Timestamp;
};

type RestorationsTable = {
  id: GeneratedAlways<number>;
  found_at: Generated<Timestamp>;
  cause: 'timeline' | 'cluster' | 'stated';
  restored_to: Timestamp | null;
  evaluated_to: Timestamp | null;
};

type UnsettledConnectionsTable = {
  connection_id: BrokerConnectionId;
  restoration_id: number;
};

type AuditLogTable = {
  seq: Exact;
  at: Timestamp;
  actor: string;
  action: string;
  subject: string;
  details: string;
  previous_hash: string;
  hash: string;
};

type AuditAnchorsTable = {
  number: Exact;
  line: string;
  anchored_at: Timestamp;
  posted_at: Timestamp | null;
  mailed_at: Timestamp | null;
};

type AuditQueueTable = {
  id: GeneratedAlways<string>;
  actor: string;
  action: string;
  subject: string;
  details: string;
};

type SchemaReachTable = {
  migration: string;
  runs_with: string;
  at: Generated<Timestamp>;
};

type DocumentsToRemoveTable = {
  prefix: string;
  noted_at: Generated<Timestamp>;
};

type SecondFactorsTable = {
  user_id: UserId;
};

type LiveDeploymentsTable = {
  id: DeploymentId;
  user_id: UserId;
  strategy_id: StrategyId;
  strategy_version_id: StrategyVersionId;
  broker_connection_id: BrokerConnectionId;
  status: 'pending' | 'active' | 'paused' | 'frozen' | 'stopping' | 'liquidating' | 'liquidated' | 'stopped' | 'failed';
  reason_code: 'broker_not_connected' | 'agreement_not_signed' | 'risk_profile_missing' | 'not_suitable' | 'fee_unpaid' | 'cash_not_reported' | 'cash_not_enough' | 'awaits_capacity' | 'paused' | 'closing' | 'drawdown_limit' | 'quarantined' | null;
  reason_params: Json | null;
  requested_status: 'active' | 'paused' | 'stopped' | 'liquidated' | null;
  awaits_cash: boolean;
  investment_micro: Exact;
  withdrawing_micro: Exact;
  return_base_micro: Exact;
  stop_loss_percentage: Exact;
  max_allocation_percent: Exact;
  freeze_on_drawdown_percent: Exact;
  cash_micro: Exact;
  realized_micro: Exact;
  equity_micro: Exact;
  peak_equity_micro: Exact;
  high_water_mark_micro: Exact;
  frozen_at: Timestamp | null;
  freeze_lifted_at: Timestamp | null;
  stopped_out: Json;
  applied_target_id: TargetId | null;
  revision: Exact;
  deployed_at: Timestamp;
  marked_at: Timestamp | null;
  ended_at: Timestamp | null;
  created_at: Timestamp;
  disconnect_minutes: number;
  disconnect_choice: 'wait' | 'pause' | 'close';
  tripwire_choice: 'notify' | 'exits_only' | 'halve';
  tripwire_state: 'green' | 'amber' | 'red';
  tripwire_since: Timestamp | null;
  billed_through: Timestamp | null;
  mode: 'practice' | 'real';
  shadow_of: string | null;
};

type FollowingDeploymentsTable = {
  id: DeploymentId;
  user_id: UserId;
  strategy_id: StrategyId;
  strategy_version_id: StrategyVersionId;
  broker_connection_id: BrokerConnectionId;
  status: 'pending' | 'active' | 'paused' | 'frozen' | 'stopping' | 'liquidating' | 'liquidated' | 'stopped' | 'failed';
  reason_code: 'broker_not_connected' | 'agreement_not_signed' | 'risk_profile_missing' | 'not_suitable' | 'fee_unpaid' | 'cash_not_reported' | 'cash_not_enough' | 'awaits_capacity' | 'paused' | 'closing' | 'drawdown_limit' | 'quarantined' | null;
  reason_params: Json | null;
  requested_status: 'active' | 'paused' | 'stopped' | 'liquidated' | null;
  awaits_cash: boolean;
  investment_micro: Exact;
  withdrawing_micro: Exact;
  return_base_micro: Exact;
  stop_loss_percentage: Exact;
  max_allocation_percent: Exact;
  freeze_on_drawdown_percent: Exact;
  cash_micro: Exact;
  realized_micro: Exact;
  equity_micro: Exact;
  peak_equity_micro: Exact;
  high_water_mark_micro: Exact;
  frozen_at: Timestamp | null;
  freeze_lifted_at: Timestamp | null;
  stopped_out: Json;
  applied_target_id: TargetId | null;
  revision: Exact;
  deployed_at: Timestamp;
  marked_at: Timestamp | null;
  ended_at: Timestamp | null;
  created_at: Timestamp;
  disconnect_minutes: number;
  disconnect_choice: 'wait' | 'pause' | 'close';
  tripwire_choice: 'notify' | 'exits_only' | 'halve';
  tripwire_state: 'green' | 'amber' | 'red';
  tripwire_since: Timestamp | null;
  billed_through: Timestamp | null;
  mode: 'practice' | 'real';
  shadow_of: string | null;
};

type OpenOrdersTable = {
  id: OrderId;
  deployment_id: DeploymentId;
  broker_connection_id: BrokerConnectionId;
  client_order_id: ClientOrderId;
  target_id: TargetId | null;
  cause: string;
  purpose: 'rebalance' | 'stop_loss' | 'liquidation' | 'margin_call' | 'protective';
  attempt: number;
  symbol: Symbol;
  side: 'buy' | 'sell';
  quantity: Exact;
  limit_price: Exact;
  reference_price: Exact;
  status: 'intended' | 'sending' | 'working' | 'filled' | 'cancelled' | 'rejected' | 'expired' | 'withdrawn' | 'unknown';
  filled_quantity: Exact;
  filled_value_micro: Exact;
  realized_micro: Exact;
  broker_order_id: string | null;
  visibility: 'never_shown' | 'shown' | 'shown_earlier';
  absent_since: Timestamp | null;
  send_tries: number;
  send_tried_at: Timestamp | null;
  cancel_tries: number;
  cancel_tried_at: Timestamp | null;
  cancel_looks: number;
  stop_loss_percentage: Exact | null;
  priced_at: Timestamp | null;
  decided_at: Timestamp;
  sent_at: Timestamp | null;
  ended_at: Timestamp | null;
  created_at: Timestamp;
  reason_code: 'position_order_first' | 'stop_not_cancelled' | 'stop_not_confirmed' | 'opposite_order' | 'exit_first' | 'call_first' | 'quantity_not_available' | 'instrument_unsure' | 'order_lost' | 'not_sent' | 'checks_expired' | 'no_current_price' | 'price_doubted' | 'trading_halted' | 'account_restricted' | 'cancel_requested' | 'cancel_not_confirmed' | 'parked' | 'fill_begun' | 'no_answer' | 'executions_missing' | 'not_listed' | 'paused' | 'paused_or_ended' | 'deployment_stopped' | 'frozen' | 'agreement_not_signed' | 'not_suitable' | 'fee_unpaid' | 'below_record' | 'nothing_to_close' | 'position_changed' | 'position_corrected' | 'stop_filled_first' | 'target_superseded' | 'instrument_removed' | 'day_over_unsent' | 'price_too_old' | 'resized' | 'cancelled' | 'rejected' | 'expired' | 'not_confirmed' | 'never_shown' | 'day_over' | 'resolved_by_staff' | 'fill_corrected' | null;
  reason_params: Json | null;
  reason_since: Timestamp | null;
  unknown_since: Timestamp | null;
};

type OrdersAtBrokerTable = {
  id: OrderId;
  deployment_id: DeploymentId;
  broker_connection_id: BrokerConnectionId;
  client_order_id: ClientOrderId;
  target_id: TargetId | null;
  cause: string;
  purpose: 'rebalance' | 'stop_loss' | 'liquidation' | 'margin_call' | 'protective';
  attempt: number;
  symbol: Symbol;
  side: 'buy' | 'sell';
  quantity: Exact;
  limit_price: Exact;
  reference_price: Exact;
  status: 'intended' | 'sending' | 'working' | 'filled' | 'cancelled' | 'rejected' | 'expired' | 'withdrawn' | 'unknown';
  filled_quantity: Exact;
  filled_value_micro: Exact;
  realized_micro: Exact;
  broker_order_id: string | null;
  visibility: 'never_shown' | 'shown' | 'shown_earlier';
  absent_since: Timestamp | null;
  send_tries: number;
  send_tried_at: Timestamp | null;
  cancel_tries: number;
  cancel_tried_at: Timestamp | null;
  cancel_looks: number;
  stop_loss_percentage: Exact | null;
  priced_at: Timestamp | null;
  decided_at: Timestamp;
  sent_at: Timestamp | null;
  ended_at: Timestamp | null;
  created_at: Timestamp;
  reason_code: 'position_order_first' | 'stop_not_cancelled' | 'stop_not_confirmed' | 'opposite_order' | 'exit_first' | 'call_first' | 'quantity_not_available' | 'instrument_unsure' | 'order_lost' | 'not_sent' | 'checks_expired' | 'no_current_price' | 'price_doubted' | 'trading_halted' | 'account_restricted' | 'cancel_requested' | 'cancel_not_confirmed' | 'parked' | 'fill_begun' | 'no_answer' | 'executions_missing' | 'not_listed' | 'paused' | 'paused_or_ended' | 'deployment_stopped' | 'frozen' | 'agreement_not_signed' | 'not_suitable' | 'fee_unpaid' | 'below_record' | 'nothing_to_close' | 'position_changed' | 'position_corrected' | 'stop_filled_first' | 'target_superseded' | 'instrument_removed' | 'day_over_unsent' | 'price_too_old' | 'resized' | 'cancelled' | 'rejected' | 'expired' | 'not_confirmed' | 'never_shown' | 'day_over' | 'resolved_by_staff' | 'fill_corrected' | null;
  reason_params: Json | null;
  reason_since: Timestamp | null;
  unknown_since: Timestamp | null;
};

export type Tables = {
  keyring: KeyringTable;
  key_checks: KeyChecksTable;
  users: UsersTable;
  sessions: SessionsTable;
  refresh_tokens: RefreshTokensTable;
  authenticators: AuthenticatorsTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  backup_codes: BackupCodesTable;
  account_events: AccountEventsTable;
  password_resets: PasswordResetsTable;
  email_verifications: EmailVerificationsTable;
  staff_invitations: StaffInvitationsTable;
  guess_limits: GuessLimitsTable;
  idempotency_keys: IdempotencyKeysTable;
  risk_profiles: RiskProfilesTable;
  agreements: AgreementsTable;
  agreement_deadlines: AgreementDeadlinesTable;
  agreement_changes_told: AgreementChangesToldTable;
  closed_accounts: ClosedAccountsTable;
  download_links: DownloadLinksTable;
  brokers: BrokersTable;
  broker_connections: BrokerConnectionsTable;
  broker_sessions: BrokerSessionsTable;
  broker_requests: BrokerRequestsTable;
  account_cash: AccountCashTable;
  broker_rate_limits: BrokerRateLimitsTable;
  broker_request_places: BrokerRequestPlacesTable;
  broker_penalties: BrokerPenaltiesTable;
  broker_contracts: BrokerContractsTable;
  unread_rows: UnreadRowsTable;
  broker_inbox: BrokerInboxTable;
  practice_accounts: PracticeAccountsTable;
  practice_positions: PracticePositionsTable;
  practice_orders: PracticeOrdersTable;
  practice_executions: PracticeExecutionsTable;
  strategies: StrategiesTable;
  strategy_versions: StrategyVersionsTable;
  strategy_thumbnails: StrategyThumbnailsTable;
  watched_strategies: WatchedStrategiesTable;
  instruments: InstrumentsTable;
  instrument_facts: InstrumentFactsTable;
  security_events: SecurityEventsTable;
  bars: BarsTable;
  bar_heads: BarHeadsTable;
  history_heads: HistoryHeadsTable;
  history_imports: HistoryImportsTable;
  corporate_actions: CorporateActionsTable;
  backtests: BacktestsTable;
  trials: TrialsTable;
  variant_studies: VariantStudiesTable;
  attacks: AttacksTable;
  attack_acceptances: AttackAcceptancesTable;
  backtest_jobs: BacktestJobsTable;
  claimed_records: ClaimedRecordsTable;
  model_decisions: ModelDecisionsTable;
  model_decision_answers: ModelDecisionAnswersTable;
  model_probes: ModelProbesTable;
  model_readings: ModelReadingsTable;
  model_calls: ModelCallsTable;
  model_answers: ModelAnswersTable;
  draft_words: DraftWordsTable;
  deployments: DeploymentsTable;
  positions: PositionsTable;
  equity_marks: EquityMarksTable;
  cut_off_marks: CutOffMarksTable;
  targets: TargetsTable;
  orders: OrdersTable;
  fills: FillsTable;
  suspense_entries: SuspenseEntriesTable;
  receipts: ReceiptsTable;
  position_events: PositionEventsTable;
  traders: TradersTable;
  trading_shards: TradingShardsTable;
  processed_sessions: ProcessedSessionsTable;
  expected_ranges: ExpectedRangesTable;
  tripwire_evidence: TripwireEvidenceTable;
  attestations: AttestationsTable;
  eligibility_decisions: EligibilityDecisionsTable;
  figure_switches: FigureSwitchesTable;
  advice_records: AdviceRecordsTable;
  identity_checks: IdentityChecksTable;
  ledger_transactions: LedgerTransactionsTable;
  ledger_entries: LedgerEntriesTable;
  round_trips: RoundTripsTable;
  deployment_flows: DeploymentFlowsTable;
  capacity_limits: CapacityLimitsTable;
  capacity_places: CapacityPlacesTable;
  account_openings: AccountOpeningsTable;
  cash_statements: CashStatementsTable;
  cash_breaks: CashBreaksTable;
  cash_movements: CashMovementsTable;
  cash_activities: CashActivitiesTable;
  stated_changes: StatedChangesTable;
  fee_bills: FeeBillsTable;
  fee_payments: FeePaymentsTable;
  fee_corrections: FeeCorrectionsTable;
  subscriptions: SubscriptionsTable;
  payments: PaymentsTable;
  charges: ChargesTable;
  refunds: RefundsTable;
  disputes: DisputesTable;
  chargebacks: ChargebacksTable;
  payers: PayersTable;
  ledger_payments: LedgerPaymentsTable;
  ledger_refunds: LedgerRefundsTable;
  incidents: IncidentsTable;
  incident_notes: IncidentNotesTable;
  notifications: NotificationsTable;
  news_choices: NewsChoicesTable;
  mails: MailsTable;
  sandbox_mails: SandboxMailsTable;
  news_addresses: NewsAddressesTable;
  news_deliveries: NewsDeliveriesTable;
  telegram_codes: TelegramCodesTable;
  api_keys: ApiKeysTable;
  api_key_deployments: ApiKeyDeploymentsTable;
  api_key_acts: ApiKeyActsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  settings: SettingsTable;
  heartbeats: HeartbeatsTable;
  chain_latencies: ChainLatenciesTable;
  kill_switches: KillSwitchesTable;
  liquidation_requests: LiquidationRequestsTable;
  order_resolutions: OrderResolutionsTable;
  reconciliation_breaks: ReconciliationBreaksTable;
  holdings_beside: HoldingsBesideTable;
  adjustments: AdjustmentsTable;
  dead_letter_decisions: DeadLetterDecisionsTable;
  proposals: ProposalsTable;
  stop_retries: StopRetriesTable;
  client_notes: ClientNotesTable;
  restorations: RestorationsTable;
  unsettled_connections: UnsettledConnectionsTable;
  audit_log: AuditLogTable;
  audit_anchors: AuditAnchorsTable;
  audit_queue: AuditQueueTable;
  schema_reach: SchemaReachTable;
  documents_to_remove: DocumentsToRemoveTable;
  second_factors: SecondFactorsTable;
  live_deployments: LiveDeploymentsTable;
  following_deployments: FollowingDeploymentsTable;
  open_orders: OpenOrdersTable;
  orders_at_broker: OrdersAtBrokerTable;
};
