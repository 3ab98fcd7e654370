// One condition of a strategy definition: comparisons and crosses of numbers, prices and features, joined by
// all, any and not.
import { COMPARISONS, type Condition, type Operand, PRICE_NAMES } from '../definition.ts';
import { join, type Reader } from './reader.ts';

export type ConditionPlace = {
  readonly path: string;
  /** Names of the features that the definition declares. */
  readonly features: readonly string[];
  readonly depth?: number;
};

export function parseCondition(reader: Reader, value: unknown, place: ConditionPlace): Condition {
  const { path, features, depth = 0 } = place;
  const op = reader.oneOf(opOf(value), join(path, 'op'), OPERATIONS);
  if (depth > MAX_DEPTH) {
    reader.fail(path, `is nested deeper than ${MAX_DEPTH}`);
    return NEVER;
  }
  if (op === 'all' || op === 'any') {
    const given = reader.fields(value, path, ['op', 'of']);
    const of = reader.list(given?.['of'], join(path, 'of'), { min: 1, max: 16 });
    const inner = (one: unknown, i: number) =>
      parseCondition(reader, one, { path: join(join(path, 'of'), i), features, depth: depth + 1 });
    return { op, of: of.map(inner) };
  }
  if (op === 'not') {
    const given = reader.fields(value, path, ['op', 'of']);
    return {
      op,
      of: parseCondition(reader, given?.['of'], { path: join(path, 'of'), features, depth: depth + 1 }),
    };
  }
  const given = reader.fields(value, path, ['op', 'left', 'right']);
  return {
    op,
    left: parseOperand(reader, given?.['left'], { path: join(path, 'left'), features }),
    right: parseOperand(reader, given?.['right'], { path: join(path, 'right'), features }),
  };
}

function parseOperand(reader: Reader, value: unknown, { path, features }: ConditionPlace): Operand {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string' && (features.includes(value) || isPriceName(value))) return value;
  const known = [...PRICE_NAMES, ...features].join(', ');
  reader.fail(path, `must be a number or one of ${known}`);
  return 0;
}

function isPriceName(value: string): boolean {
  return PRICE_NAMES.some((name) => name === value);
}

function opOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'op' in value ? value.op : undefined;
}

const OPERATIONS = [...COMPARISONS, 'all', 'any', 'not'] as const;
const MAX_DEPTH = 6;
const NEVER: Condition = { op: 'above', left: 0, right: 1 };
