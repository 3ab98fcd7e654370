// Corrupts answers in ways seen at real brokers: unreadable, of another account, or incomplete.
import type { Fault } from './fault-script.ts';

type Draw = () => number;

/** The payload after one fault of the wire; null when the fault is none of the payload's. */
export function spoilAnswer(payload: string, fault: Fault, draw: Draw): string | null {
  switch (fault.kind) {
    case 'html':
      return '<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Please try again later.</body></html>';
    case 'truncated':
      return payload.slice(0, Math.floor(payload.length * draw()));
    case 'wrong_account':
      return payload.replaceAll(/\bDU(\d+)\b/g, (_whole, digits: string) => `DU${Number(digits) + 90_000}`);
    case 'numbers':
      return JSON.stringify(withNumbers(JSON.parse(payload), fault.how));
    case 'list':
      return JSON.stringify(withRows(JSON.parse(payload), (rows) => chosenRows(rows, fault, draw)));
    default:
      return null;
  }
}

function chosenRows(rows: readonly unknown[], fault: Extract<Fault, { kind: 'list' }>, draw: Draw) {
  switch (fault.how) {
    case 'empty':
      return [];
    case 'partial':
      return rows.filter(() => draw() < fault.keep);
    case 'repeated':
      return [...rows, ...rows.toReversed()];
    case 'whole_history':
      return rows;
  }
}

/** The rows of a list, at top level or under `orders`. An answer without a list is unchanged. */
function withRows(body: unknown, choose: (rows: readonly unknown[]) => readonly unknown[]): unknown {
  if (Array.isArray(body)) return choose(body);
  if (typeof body !== 'object' || body === null || !('orders' in body) || !Array.isArray(body.orders))
    return body;
  return { ...body, orders: choose(body.orders) };
}

/** Sizes and prices, written as numbers or as text. Ids are kept, so that rows stay distinguishable. */
function withNumbers(value: unknown, how: 'huge' | 'negative' | 'words' | 'missing', name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withNumbers(item, how, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]) => [field, withNumbers(inner, how, field)]),
    );
  const isAmount = SIZES.test(name) && value !== '' && Number.isFinite(Number(value));
  if (!isAmount) return value;
  const spoiled = SPOILED[how](Number(value));
  return typeof value === 'string' && spoiled !== undefined ? String(spoiled) : spoiled;
}

const SIZES =
  /^(size|price|quantity|position|totalSize|filledQuantity|remainingQuantity|commission|cashbalance|netliquidationvalue|avgPrice|avgCost|net_amount)$/;

const SPOILED = {
  huge: (value: number) => value * 1e30,
  negative: (value: number) => -Math.abs(value),
  words: () => 'N/A',
  missing: () => undefined,
} as const;
