// What statements of the product can depend on in a database, read from PostgreSQL's own catalogue: one line for each thing, by a
// name that says what it is.
import type pg from 'pg';
import { PRODUCT_ROLE } from '#records/postgres/product-role.ts';
import { API_ROLE } from '#records/postgres/row-scope.ts';

/** Name → what it is like. */
export type SchemaShape = Readonly<Record<ShapePart, ReadonlyMap<string, string>>>;

export type ShapePart = keyof typeof QUERIES;

export async function readShape(owner: Pick<pg.Pool, 'query'>): Promise<SchemaShape> {
  const read = async (query: string) => {
    const { rows } = await owner.query<{ name: string; is: string }>(query);
    return new Map(rows.map((row) => [row.name, row.is]));
  };
  const parts = {} as Record<ShapePart, ReadonlyMap<string, string>>;
  for (const part of Object.keys(QUERIES) as ShapePart[]) parts[part] = await read(QUERIES[part]);
  return parts;
}

const OURS = `c.relnamespace in ('public'::regnamespace, 'own_rows'::regnamespace)
  and c.relname not like 'kysely%' and c.relname not like 'schema_reach%'`;
/** Of the schema `public` without its name, as statements write it. */
const TABLE = `case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end`;

const QUERIES = {
  table: `select ${TABLE} as name, case c.relkind when 'v' then 'view' else 'table' end as is
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relkind in ('r', 'p', 'v')`,
  column: `select ${TABLE} || '.' || a.attname as name, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end,
      case when a.atthasdef or a.attidentity <> '' then 'filled' end,
      case when a.attgenerated <> '' or a.attidentity = 'a' then 'always' end) as is
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped`,
  /** By its columns and its text: names are given by PostgreSQL. */
  constraint: `select ${TABLE} || ' ' || pg_get_constraintdef(k.oid) as name, k.contype::text || ' ' || (
      select string_agg(a.attname, ',' order by a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum = any(k.conkey)
    ) as is
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and k.contype in ('c', 'f', 'p', 'u', 'x')`,
  /** Those that refuse a row. */
  index: `select ${TABLE} || ' ' || regexp_replace(pg_get_indexdef(i.indexrelid), '^CREATE UNIQUE INDEX \\S+ ON \\S+ ', '') as name,
      coalesce((select string_agg(a.attname, ',' order by a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum = any(i.indkey::smallint[])), '') as is
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and i.indisunique and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
  trigger: `select ${TABLE} || ' ' || t.tgname as name, pg_get_triggerdef(t.oid) as is
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and not t.tgisinternal`,
  function: `select p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as name, pg_get_functiondef(p.oid) as is
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  policy: `select ${TABLE} || ' ' || coalesce(p.polname, 'row-level security') as name,
      coalesce(pg_get_expr(p.polqual, p.polrelid), '') || coalesce(' with check ' || pg_get_expr(p.polwithcheck, p.polrelid), '') as is
    from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_policy p on p.polrelid = c.oid
    where ${OURS} and c.relrowsecurity`,
  right: `select ${TABLE} || ' ' || g.rolname || ' ' || a.privilege_type as name, '' as is
    from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join aclexplode(c.relacl) a
      join pg_roles g on g.oid = a.grantee
    where ${OURS} and g.rolname in ('${PRODUCT_ROLE}', '${API_ROLE}')`,
} as const;
