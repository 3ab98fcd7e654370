// Lists that the vendor returns page by page.
import type { BrokerAnswer } from '#ports/broker.ts';
import { reading, rowsOf } from '../answer-fields.ts';
import { failed } from '../exchange.ts';

/** Requests pages until one is not full. A list that never ends is a failure. */
export async function listPages(
  size: { readonly rows: number; readonly pages: number },
  askPage: (last: Readonly<Record<string, unknown>> | null) => Promise<BrokerAnswer<unknown>>,
): Promise<BrokerAnswer<readonly Readonly<Record<string, unknown>>[]>> {
  const all: Readonly<Record<string, unknown>>[] = [];
  let last: Readonly<Record<string, unknown>> | null = null;
  for (let page = 1; page <= size.pages; page++) {
    const asked: BrokerAnswer<unknown> = await askPage(last);
    if (asked.outcome === 'failed') return asked;
    const rows = reading(() => rowsOf(asked.value, 'the list'));
    if (rows.outcome === 'failed') return rows;
    all.push(...rows.value);
    last = rows.value.at(-1) ?? null;
    if (rows.value.length < size.rows || last === null) return { outcome: 'ok', value: all };
  }
  return size.pages === 1 ? { outcome: 'ok', value: all } : failed('unreadable', 'the list does not end');
}

export const PAGES_MAX = 100;
