// Lists that the vendor returns page by page.
import type { BrokerAnswer } from '#ports/broker.ts';
import { type Fields, fieldsOf, reading, Unreadable } from '../answer-fields.ts';
import { failed } from '../exchange.ts';

/**
 * Requests pages until one is not full; `pageAfter` is the query of the page after a row. A list that never ends is a
 * failure, as is a full page whose last row does not say where the next one begins.
 */
export async function listPages(
  size: { readonly rows: number; readonly pages: number },
  askPage: (query: Readonly<Record<string, string>>) => Promise<BrokerAnswer<unknown>>,
  pageAfter: (last: Fields) => Readonly<Record<string, string>>,
): Promise<BrokerAnswer<readonly unknown[]>> {
  const all: unknown[] = [];
  let query: Readonly<Record<string, string>> = {};
  for (let page = 1; page <= size.pages; page++) {
    const asked: BrokerAnswer<unknown> = await askPage(query);
    if (asked.outcome === 'failed') return asked;
    const rows = reading(() => listOf(asked.value));
    if (rows.outcome === 'failed') return rows;
    all.push(...rows.value);
    if (rows.value.length < size.rows || size.pages === 1) return { outcome: 'ok', value: all };
    const next = reading(() => pageAfter(fieldsOf(rows.value.at(-1), 'the last row')));
    if (next.outcome === 'failed') return next;
    query = next.value;
  }
  return failed('unreadable', 'the list does not end');
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unreadable('the list is not a list');
  return value;
}

export const PAGES_MAX = 100;
