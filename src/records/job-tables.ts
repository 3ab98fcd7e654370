// The tables of work that waits for its turn.
import type { Generated } from 'kysely';
import type { JsonWithDefault, NullableTimestamp, TimestampWithDefault } from './postgres/column-types.ts';

export type BacktestJobsTable = {
  id: string;
  strategy_id: string;
  strategy_version_id: string;
  user_id: string;
  kind: string;
  parameters: JsonWithDefault;
  status: Generated<string>;
  cancel_requested: Generated<boolean>;
  progress: Generated<number>;
  message: string | null;
  result: JsonWithDefault;
  created_at: TimestampWithDefault;
  started_at: NullableTimestamp;
  finished_at: NullableTimestamp;
};
