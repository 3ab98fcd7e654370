// The tables of people: accounts, sessions, advice, agreements, notices, mail.
import type { ColumnType, Generated } from 'kysely';
import type {
  Json,
  JsonWithDefault,
  NullableTimestamp,
  Timestamp,
  TimestampWithDefault,
} from './postgres/column-types.ts';

export type UsersTable = {
  id: string;
  email: string;
  password_hash: string;
  first_name: string;
  last_name: Generated<string>;
  role: Generated<string>;
  date_of_birth: string | null;
  country: string | null;
  fee_period: Generated<string>;
  created_at: TimestampWithDefault;
};

export type SessionsTable = {
  id: string;
  user_id: string;
  remember: boolean;
  created_at: TimestampWithDefault;
  expires_at: Timestamp;
  ended_at: NullableTimestamp;
};

export type RefreshTokensTable = {
  token_hash: Buffer;
  session_id: string;
  issued_at: TimestampWithDefault;
  expires_at: Timestamp;
  rotated_at: NullableTimestamp;
  successor: string | null;
};

export type PasswordResetsTable = {
  token_hash: Buffer;
  user_id: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  used_at: NullableTimestamp;
};

export type IdempotencyKeysTable = {
  user_id: string;
  key: string;
  endpoint: string;
  request_hash: string;
  status: number | null;
  response: ColumnType<unknown, string | null | undefined, string | null>;
  created_at: TimestampWithDefault;
};

export type NotificationsTable = {
  id: string;
  user_id: string;
  deployment_id: string | null;
  kind: string;
  title: string;
  message: string;
  cause: string;
  read_at: NullableTimestamp;
  created_at: Timestamp;
};

export type NotificationPreferencesTable = {
  user_id: string;
  email_trade_confirmations: boolean;
  email_strategy_updates: boolean;
  email_performance_reports: boolean;
  push_trade_alerts: boolean;
  push_risk_warnings: boolean;
  push_market_updates: boolean;
  updated_at: TimestampWithDefault;
};

export type MailsTable = {
  id: string;
  user_id: string;
  purpose: string;
  notification_id: string | null;
  week: string | null;
  cause: string;
  status: Generated<string>;
  attempts: Generated<number>;
  problem: string | null;
  due_at: Timestamp;
  claimed_at: NullableTimestamp;
  ended_at: NullableTimestamp;
  created_at: TimestampWithDefault;
};

export type SandboxMailsTable = {
  id: Generated<string>;
  recipient: string;
  subject: string;
  text: string;
  received_at: TimestampWithDefault;
};

export type RiskProfilesTable = {
  id: string;
  user_id: string;
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
  created_at: TimestampWithDefault;
  updated_at: TimestampWithDefault;
};

export type AgreementsTable = {
  id: string;
  user_id: string;
  version: string;
  provider: string;
  envelope_id: string;
  signing_token_hash: Buffer | null;
  status: string;
  document_hash: string;
  sealed_hash: string | null;
  sealed_pdf: Buffer | null;
  unsigned_pdf: Buffer | null;
  evidence: JsonWithDefault;
  signed_name: string | null;
  created_at: TimestampWithDefault;
  expires_at: Timestamp;
  signed_at: NullableTimestamp;
  content: JsonWithDefault;
};
