import type { CashEntry } from '#contract/cash-ledger.ts';
import type { CashEntryRow } from '#records/portfolio/cash-ledger.ts';
import { CASH_ENTRY_KINDS, type CashEntryKind, cashEntryText } from '#rules/deployments/cash-entry-text.ts';
import { fromMicro } from '#units/money.ts';
import { parseQuantity } from '#units/quantity.ts';

export function showCashEntry(row: CashEntryRow): CashEntry {
  const { place, at, cause, symbol, cash, commission, billed, balance, fill } = row;
  const kind = cashEntryKind(cause);
  const facts = fill && { ...fill, quantity: parseQuantity(fill.quantity) };
  return {
    id: String(place),
    at: at.toISOString(),
    kind,
    text: cashEntryText({ kind, symbol, isBrokerFigure: cause.endsWith(FIGURE), fill: facts, billed }),
    symbol,
    amount: fromMicro(cash),
    commission: fromMicro(commission),
    balance: fromMicro(balance),
  };
}

/** Of what a ledger transaction's cause begins with. */
export function cashEntryKind(cause: string): CashEntryKind {
  const named = cause.endsWith(FIGURE) ? cause.slice(0, -FIGURE.length) : cause;
  const kind = CASH_ENTRY_KINDS.find((one) => one === named);
  if (kind === undefined) throw new Error(`the ledger has a movement of cash without words: ${cause}`);
  return kind;
}

/** The broker's own figure in place of an estimate. */
const FIGURE = '_figure';
