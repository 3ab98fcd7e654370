// Spoils the answers of the stand-in for Alpaca: what cannot be read, or is not what was promised.
import type { Fault } from './fault-script.ts';

/** Null when the fault is none of the payload's. */
export function spoilAnswer(payload: string, fault: Fault): string | null {
  switch (fault.kind) {
    case 'html':
      return '<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Please try again later.</body></html>';
    case 'truncated':
      return payload.slice(0, Math.floor(payload.length / 2));
    case 'list': {
      const body: unknown = JSON.parse(payload);
      return Array.isArray(body) ? JSON.stringify(LISTS[fault.how](body)) : payload;
    }
    case 'field':
      return JSON.stringify(withField(JSON.parse(payload), fault));
    default:
      return null;
  }
}

function withField(value: unknown, fault: Extract<Fault, { kind: 'field' }>): unknown {
  if (Array.isArray(value)) return value.map((item) => withField(item, fault));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === fault.field ? SPOILED[fault.how](inner) : withField(inner, fault),
    ]),
  );
}

const LISTS = {
  empty: () => [],
  repeated: (rows: readonly unknown[]) => [...rows, ...rows.toReversed()],
  reordered: (rows: readonly unknown[]) => rows.toReversed(),
} as const;

const SPOILED = {
  missing: () => undefined,
  null: () => null,
  words: () => 'N/A',
  huge: (value: unknown) => String(Number(value) * 1e30),
  negative: (value: unknown) => String(-Math.abs(Number(value))),
} as const;
