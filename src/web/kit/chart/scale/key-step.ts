/** What a key does on a chart that has the focus. */
export type KeyStep =
  | { readonly kind: 'look'; readonly at: number }
  | { readonly kind: 'measure'; readonly span: { readonly from: number; readonly to: number } | null }
  | { readonly kind: 'zoom'; readonly isNearer: boolean }
  | { readonly kind: 'pan'; readonly points: number }
  | { readonly kind: 'whole' | 'open' | 'leave' };

/** Said to whoever comes to a chart by keyboard. */
export const KEYS_TEXT =
  'Arrow keys, Page Up, Page Down, Home and End choose a day. Plus and minus zoom, Shift with an arrow key moves, 0 shows everything. M measures from the day, Enter opens what happened on it, Escape ends.';

type Place = {
  readonly at: number;
  readonly last: number;
  readonly measured: { readonly from: number; readonly to: number } | null;
  /** Whether the view can be changed. */
  readonly canMove: boolean;
};

type Pressed = {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
};

export function keyStep({ key, shiftKey, ctrlKey, metaKey }: Pressed, place: Place): KeyStep | null {
  if (ctrlKey || metaKey) return null;
  const { at, last, measured, canMove } = place;
  if (key === 'Escape') return { kind: 'leave' };
  if (key === 'Enter') return { kind: 'open' };
  if (key === 'm' || key === 'M')
    return { kind: 'measure', span: measured === null ? { from: at, to: at } : null };
  if (canMove) {
    if (key === '+' || key === '=') return { kind: 'zoom', isNearer: true };
    if (key === '-' || key === '_') return { kind: 'zoom', isNearer: false };
    if (key === '0') return { kind: 'whole' };
    if (shiftKey && key === 'ArrowLeft') return { kind: 'pan', points: -Math.max(1, last / 5) };
    if (shiftKey && key === 'ArrowRight') return { kind: 'pan', points: Math.max(1, last / 5) };
  }
  const next = nextIndex(key, at, last);
  if (next === null) return null;
  return measured === null
    ? { kind: 'look', at: next }
    : { kind: 'measure', span: { ...measured, to: next } };
}

function nextIndex(key: string, index: number, last: number): number | null {
  const page = Math.max(1, Math.round(last / 10));
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - page,
    PageUp: index + page,
    Home: 0,
    End: last,
  };
  const next = moves[key];
  return next === undefined ? null : Math.min(last, Math.max(0, next));
}
