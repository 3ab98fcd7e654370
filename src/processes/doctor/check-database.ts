// The database: whether it is reached, is ours and of this version. Nothing in it is changed.
import { readSchemaState, type SchemaState } from '#records/postgres/schema-state.ts';
import { type Finding, fit, unfit } from './finding.ts';

/** Null: the embedded one, which does not run. */
export async function checkDatabase(url: string | null): Promise<Finding & { readonly hasTables: boolean }> {
  if (url === null)
    return {
      ...fit('database', 'the embedded one, which npm start starts; it does not run now'),
      hasTables: false,
    };
  let state: SchemaState;
  try {
    state = await readSchemaState(url);
  } catch (error) {
    const said = error instanceof Error && error.message !== '' ? error.message : String(error);
    const finding = unfit(
      'database',
      `it does not answer (${said}): check DATABASE_URL, and that PostgreSQL runs there`,
    );
    return { ...finding, hasTables: false };
  }
  const finding = judge(state);
  return { ...finding, hasTables: finding.isFit && state.schema === 'current' };
}

function judge({ schema, newest, user, owner, mayCreate, version }: SchemaState): Finding {
  if (version < VERSION_MIN)
    return unfit('database', `PostgreSQL ${version}: DATABASE_URL must name version ${VERSION_MIN} or newer`);
  if (!mayCreate)
    return unfit(
      'database',
      `it belongs to ${owner}, and ${user} may not create tables: let the user of DATABASE_URL own it`,
    );
  if (schema === 'other')
    return unfit('database', `schema ${newest} is of another version: name another database in DATABASE_URL`);
  const found = { current: `schema ${newest}`, older: `schema ${newest}, which the next start renews` };
  const said = schema === 'none' ? 'empty, which the first start fills' : found[schema];
  return fit('database', `PostgreSQL ${version}, ${said}, owned by ${owner}, used as ${user}`);
}

const VERSION_MIN = 15;
