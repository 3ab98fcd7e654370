import { Notice } from '../kit/state/notice.tsx';

/** What is wrong with the prices that a strategy reads; nothing while nothing is. */
export function PriceNote({ note }: { note: string | null }) {
  return note === null ? null : <Notice tone="caution">{note}</Notice>;
}
