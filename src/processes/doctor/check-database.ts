// The database: whether it is reached, is ours and of this version. Nothing in it is changed.
import { readSchemaState, type SchemaState } from '#records/postgres/schema-state.ts';
import { PRODUCT_ROLE } from '#records/postgres/product-role.ts';
import { API_ROLE } from '#records/postgres/row-scope.ts';
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
  return { ...finding, hasTables: finding.isFit && (state.schema === 'current' || state.schema === 'newer') };
}

function judge({ schema, newest, user, owner, isOwner, version }: SchemaState): Finding {
  if (version < VERSION_MIN)
    return unfit('database', `PostgreSQL ${version}: DATABASE_URL must name version ${VERSION_MIN} or newer`);
  if (isOwner)
    return unfit(
      'database',
      `${user} may change the schema: let DATABASE_URL name a user who has the roles ${PRODUCT_ROLE} and ${API_ROLE} and owns nothing, and DATABASE_OWNER_URL the owner`,
    );
  if (schema === 'other')
    return unfit('database', `schema ${newest} is of another version: name another database in DATABASE_URL`);
  const found = {
    current: `schema ${newest}`,
    older: `schema ${newest}, which npm run catalogue renews`,
    newer: `schema ${newest} of a newer version, with which this one runs too`,
  };
  const said = schema === 'none' ? 'empty, which npm run catalogue fills' : found[schema];
  return fit('database', `PostgreSQL ${version}, ${said}, owned by ${owner}, used as ${user}`);
}

const VERSION_MIN = 15;
