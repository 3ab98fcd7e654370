// Where a value does not fit its schema: services enforce schemas each in their own way, and some not at all.
import type { ValueSchema } from '#ports/language-model.ts';

type AnySchema = ValueSchema | { readonly type: 'null' };

/** The first place that does not fit; null where all does. */
export function misfitOf(value: unknown, schema: AnySchema, place: string): string | null {
  if ('anyOf' in schema) {
    const misfits = schema.anyOf.map((one) => misfitOf(value, one, place));
    return misfits.includes(null) ? null : misfits[0]!;
  }
  switch (schema.type) {
    case 'null':
      return value === null ? null : `${place} not null`;
    case 'object':
      return objectMisfit(value, schema, place);
    case 'array':
      if (!Array.isArray(value)) return `${place} no list`;
      return firstOf(value.map((one, at) => misfitOf(one, schema.items, `${place}[${at}]`)));
    case 'string':
      if (typeof value !== 'string') return `${place} no text`;
      return schema.enum === undefined || schema.enum.includes(value)
        ? null
        : `${place} outside ${schema.enum.join(', ')}`;
    case 'boolean':
      return typeof value === 'boolean' ? null : `${place} no boolean`;
    case 'integer':
      return Number.isSafeInteger(value) ? null : `${place} no integer`;
    case 'number':
      return Number.isFinite(value) ? null : `${place} no number`;
  }
}

function objectMisfit(
  value: unknown,
  { properties }: Extract<ValueSchema, { type: 'object' }>,
  place: string,
): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${place} no object`;
  const extra = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  if (extra !== undefined) return `${place} surplus field`;
  return firstOf(
    Object.entries(properties).map(([name, schema]) =>
      Object.hasOwn(value, name)
        ? misfitOf((value as Record<string, unknown>)[name], schema, `${place}.${name}`)
        : `${place}.${name} missing`,
    ),
  );
}

const firstOf = (misfits: readonly (string | null)[]) => misfits.find((one) => one !== null) ?? null;
