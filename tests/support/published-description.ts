// A vendor's published description of its API (OpenAPI), and where an answer violates it.
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

export type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
};

export type Description = {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema?: Schema }> }> }>
  >;
};

/** From a file of JSON or YAML; null where it is absent. */
export function readDescription(file: string): Description | null {
  return existsSync(file) ? (parse(readFileSync(file, 'utf8')) as Description) : null;
}

/** What an operation answers with status 200. Throws when the description does not say. */
export function answerSchema(description: Description | null, method: string, path: string): Schema {
  const content = description?.paths[path]?.[method.toLowerCase()]?.responses['200']?.content ?? {};
  const schema = Object.values(content)[0]?.schema;
  if (!schema) throw new Error(`no published answer for ${method} ${path}`);
  return schema;
}

/** Where a value violates its schema, in words. Fields that the schema does not name are allowed. */
export function misfits(description: Description | null, value: unknown, schema: Schema): string[] {
  return misfitsAt(description, { value, schema }, '$');
}

function misfitsAt(
  description: Description | null,
  { value, schema }: { readonly value: unknown; readonly schema: Schema },
  at: string,
): string[] {
  const inside = (part: unknown, of: Schema, where: string) =>
    misfitsAt(description, { value: part, schema: of }, where);
  if (schema.$ref) return inside(value, follow(description, schema.$ref), at);
  if (schema.oneOf) {
    const tries = schema.oneOf.map((one) => inside(value, one, at));
    return tries.some((found) => found.length === 0) ? [] : tries.flat();
  }
  if (value === null) return schema.nullable ? [] : [`${at} is null`];
  const type = Array.isArray(value) ? 'array' : typeof value;
  const wanted = schema.type === 'integer' ? 'number' : (schema.type ?? type);
  if (type !== wanted) return [`${at} is ${type}, not ${schema.type}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is ${String(value)}, not one of the list`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => inside(item, schema.items ?? {}, `${at}[${index}]`));
  if (type !== 'object') return [];
  const fields = value as Record<string, unknown>;
  const missing = (schema.required ?? [])
    .filter((name) => !(name in fields))
    .map((name) => `${at} lacks ${name}`);
  const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  return Object.entries(fields).reduce((all, [name, field]) => {
    const known = schema.properties?.[name] ?? rest;
    return known ? all.concat(inside(field, known, `${at}.${name}`)) : all;
  }, missing);
}

function follow(description: Description | null, reference: string): Schema {
  let found: unknown = description;
  for (const step of reference.slice(2).split('/')) found = (found as Record<string, unknown>)[step];
  return found as Schema;
}
