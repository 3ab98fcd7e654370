import type { TimelineEntry } from '#contract/decisions.ts';
import { isLimit } from '#engine/decision/checks.ts';
import type { RefusedOrder } from '#engine/order/order.ts';
import type { OrderOfEntry, TimelineRow } from '#records/deployments/timeline.ts';
import { noticeText } from '#rules/notifications/notice-text.ts';
import { decisionText, decisionTitle, EXIT_TITLES } from '#rules/reasons/decision-text.ts';
import { refusalReason } from '#rules/reasons/refusal-reason.ts';
import type { Symbol } from '#units/identifiers.ts';
import { showTrade } from '../history/show-trade.ts';
import { reasonTexts, type RecordedEvaluation } from './reasons-by-symbol.ts';

export function showTimelineEntry(row: TimelineRow, id: string): TimelineEntry {
  const common = { id, at: row.at.toISOString(), decision: null, as_of: null, refused: [] };
  const orders = row.orders.map(showTrade);
  if (row.kind === 'notice') {
    const [facts] = row.notices;
    const { title, message } = facts === undefined ? { title: '', message: '' } : noticeText(facts);
    return { ...common, kind: row.kind, title, text: message, orders };
  }
  if (row.kind === 'exit') {
    const text = row.notices.map((facts) => noticeText(facts).message).join(' ');
    return { ...common, kind: row.kind, title: EXIT_TITLES[row.purpose], text, orders };
  }
  const { evaluation, orders: placed, refusals } = row;
  const refused = refusals.filter((one) => isStillSaid(one, placed));
  const sides = new Map(placed.map(({ ordered_symbol: symbol, side }) => [symbol, side]));
  return {
    ...common,
    kind: row.kind,
    title: decisionTitle([...sides.values()]),
    text: decisionText({ orders: placed.length, refused: refused.length }),
    decision: row.hasReceipt ? row.id : null,
    as_of: evaluation?.asOf.toISOString() ?? null,
    orders: placed.map((order) => ({ ...showTrade(order), ...withReason(order, evaluation) })),
    refused: refused.map((one) => ({ ticker: one.symbol, code: one.code, reason: refusalReason(one) })),
  };
}

/** What was ordered after all is no longer waiting; that a limit made it smaller stays true. */
function isStillSaid({ symbol, code }: RefusedOrder, orders: readonly OrderOfEntry[]): boolean {
  return isLimit(code) || !orders.some((order) => order.ordered_symbol === symbol);
}

/** The strategy's reason in place of the limit price, which the receipt has. */
function withReason(order: OrderOfEntry, evaluation: RecordedEvaluation | null) {
  const [first] = evaluation === null ? [] : reasonTexts(evaluation, order.ordered_symbol as Symbol);
  const { trade_notes: notes } = showTrade(order);
  const [, ...outcome] = notes.split('\n');
  return first === undefined ? {} : { trade_notes: [first.text, ...outcome].join('\n') };
}
