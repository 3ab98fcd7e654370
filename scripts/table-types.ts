// The tables of a migrated database as Kysely types. Our own instead of kysely-codegen because the closed lists are check
// constraints here, not enums: `status in ('open', 'approved')` becomes the union of these words.
import type pg from 'pg';

type Column = {
  table: string;
  /** The table itself; for a view, the table of the column. */
  base: string;
  column: string;
  type: string;
  nullable: boolean;
  generated: 'always' | 'by default' | 'no';
  /** As the catalogue says it: CHECK ((kind = ANY (ARRAY['a'::text, 'b'::text]))) */
  checks: string[];
};

const TYPES: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  xid8: 'string',
  date: 'string',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  'double precision': 'number',
  'text[]': 'string[]',
  'bigint[]': 'string[]',
  bytea: 'Buffer',
  bigint: 'Exact',
  numeric: 'Exact',
  jsonb: 'Json',
  'timestamp with time zone': 'Timestamp',
};

/** Columns that hold one of our ids or a broker's, and its type in units/identifiers. */
const IDS: Readonly<Record<string, string>> = {
  // The broker's own description where the catalogue does not hold the instrument.
  'suspense_entries.symbol': 'string',
  account_id: 'BrokerAccountId',
  agreement_id: 'AgreementId',
  applied_target_id: 'TargetId',
  backtest_id: 'BacktestId',
  backtest_job_id: 'BacktestJobId',
  broker_connection_id: 'BrokerConnectionId',
  broker_id: 'BrokerId',
  client_order_id: 'ClientOrderId',
  connection_id: 'BrokerConnectionId',
  deployment_id: 'DeploymentId',
  execution_id: 'ExecutionId',
  notification_id: 'NotificationId',
  order_id: 'OrderId',
  risk_profile_id: 'RiskProfileId',
  strategy_id: 'StrategyId',
  strategy_version_id: 'StrategyVersionId',
  symbol: 'Symbol',
  target_id: 'TargetId',
  user_id: 'UserId',
};

const HEAD = `// Written by \`npm run tables\` from the migrated schema; a test fails when the two differ. What a column means is said in
// the SQL files of records/schema.
import type { GeneratedAlways } from 'kysely';
import type {
${[...new Set(Object.values(IDS))]
  .filter((id) => id !== 'string')
  .map((id) => `  ${id},\n`)
  .join('')}} from '#units/identifiers.ts';
import type { Exact, Generated, Json, Timestamp } from './postgres/column-types.ts';
`;

/** The whole text of records/tables.ts. Views take the types of the columns that they show. */
export async function tableTypes(pool: pg.Pool): Promise<string> {
  const tables = Map.groupBy(await readColumns(pool), ({ table }) => table);
  const types = [...tables].map(
    ([table, columns]) =>
      `\ntype ${typeName(table)} = {\n${columns.map((column) => `  ${column.column}: ${typeOf(column)};\n`).join('')}};\n`,
  );
  const index = [...tables.keys()].map((table) => `  ${table}: ${typeName(table)};\n`);
  return `${HEAD}${types.join('')}\nexport type Tables = {\n${index.join('')}};\n`;
}

function typeOf({ table, base, column, type, nullable, generated, checks }: Column): string {
  const words = checks.map((check) => wordsOf(check, column)).find((found) => found !== null);
  const id = IDS[`${base}.${column}`] ?? IDS[idName(base, column)];
  const plain = words?.map((word) => `'${word}'`).join(' | ') ?? id ?? TYPES[type];
  if (plain === undefined) throw new Error(`${table}.${column}: no TypeScript type is known for ${type}`);
  if (generated === 'always') return `GeneratedAlways<${plain === 'Exact' ? 'string' : plain}>`;
  return `${generated === 'by default' ? `Generated<${plain}>` : plain}${nullable ? ' | null' : ''}`;
}

/** The words of a check that is only a closed list of this column; null for any other check. */
function wordsOf(check: string, column: string): string[] | null {
  const list = new RegExp(`^CHECK \\(\\(${column} = ANY \\(ARRAY\\[([^\\]]+)\\]\\)\\)\\)$`).exec(check)?.[1];
  if (list === undefined) return null;
  return [...list.matchAll(/'([^']*)'::text/g)].map((match) => match[1]!);
}

/** The id of a row, as other tables call it: strategies.id is their strategy_id. */
function idName(table: string, column: string): string {
  return column === 'id' ? `${table.replace(/ies$/, 'ys').replace(/s$/, '')}_id` : column;
}

function typeName(table: string): string {
  return `${table.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Table`;
}

/**
 * In the order in which the SQL creates them. None of our code queries what is there for auditors or kept by the
 * migrator.
 */
async function readColumns(pool: pg.Pool): Promise<Column[]> {
  const { rows } = await pool.query<Column>(`
    select c.relname as table, coalesce(base.name, c.relname) as base, a.attname as column, format_type(a.atttypid, null) as type,
      not coalesce(base.attnotnull, a.attnotnull) as nullable,
      case when a.attidentity = 'a' then 'always' when a.atthasdef then 'by default' else 'no' end as generated,
      array(select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.contype = 'c' and k.conrelid = coalesce(base.attrelid, a.attrelid)
          and k.conkey = array[coalesce(base.attnum, a.attnum)]) as checks
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    left join lateral (
      select u.table_name as name, b.attrelid, b.attnum, b.attnotnull from information_schema.view_column_usage u
      join pg_attribute b on b.attrelid = to_regclass(u.table_name) and b.attname = u.column_name
      where u.view_name = c.relname and u.column_name = a.attname and c.relkind = 'v' limit 1) base on true
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
      and c.relname not like 'kysely%' and not (c.relkind = 'v' and starts_with(c.relname, 'audit_'))
    order by c.relkind, c.oid, a.attnum`);
  return rows;
}
