// JSON Schema, as the contract gives it, to types of TypeScript. A keyword that is not known here is an error: nothing is left out in silence.

export type Schema = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly contentEncoding?: string;
};

/** Those that a type has no word for, and those that are read. */
const KNOWN = new Set(
  `$schema $ref $defs id type description const enum anyOf oneOf allOf items properties required additionalProperties propertyNames
  contentEncoding format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems
  default`.split(/\s+/),
);

export function writeType(schema: Schema): string {
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword));
  if (unknown.length > 0) throw new Error(`no type is known for the keyword ${unknown.join(', ')}`);
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.allOf && schema.type !== 'string') throw new Error('no type is known for allOf');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map(writeType));
  if (typeof schema.type === 'object')
    return union(schema.type.map((type) => writeType({ ...schema, type })));
  return writeNamed(schema, schema.type);
}

/** What stands beside the type only narrows it: patterns and bounds, all of them in `allOf`. */
function writeNamed(schema: Schema, type: string | undefined): string {
  switch (type) {
    case undefined:
      return 'unknown';
    case 'string':
      return schema.contentEncoding === undefined ? 'string' : 'Blob';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `Array<${writeType(schema.items ?? {})}>`;
    case 'object':
      return writeObject(schema);
    default:
      throw new Error(`no type is known for ${type}`);
  }
}

function nameOf(reference: string): string {
  const name = /^#\/\$defs\/([A-Z]\w*)$/.exec(reference)?.[1];
  if (name === undefined) throw new Error(`${reference} names no schema`);
  return name;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}

function writeObject({
  properties = {},
  required = [],
  additionalProperties: further,
  propertyNames,
}: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description)}${keyOf(name)}${required.includes(name) ? '' : '?'}: ${writeType(schema)};`,
  );
  if (typeof further === 'object') {
    const names = propertyNames === undefined ? 'string' : writeType(propertyNames);
    const value = writeType(further);
    if (fields.length === 0)
      return names === 'string' ? `Record<string, ${value}>` : `Partial<Record<${names}, ${value}>>`;
    fields.push('[further: string]: unknown;');
  } else if (fields.length === 0) return 'Record<string, unknown>';
  return `{ ${fields.join(' ')} }`;
}

export function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */ `;
}

function keyOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
