import { useState, type KeyboardEvent, type PointerEvent } from 'react';

/** Which point is looked at: by mouse and touch where it is, by arrow keys step by step; null when none is. */
export function useCrosshair(times: readonly number[], plot: { left: number; right: number }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const last = times.length - 1;
  const index = chosen === null ? null : Math.min(chosen, last);

  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const share = Math.min(1, Math.max(0, (x - plot.left) / (plot.right - plot.left)));
    const [from, to] = [times[0] ?? 0, times[last] ?? 0];
    setChosen(nearest(times, from + share * (to - from)));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return setChosen(null);
    const next = nextIndex(event.key, index ?? last, last);
    if (next === null) return undefined;
    event.preventDefault();
    return setChosen(next);
  };

  return { index, onPointer, onKeyDown, clear: () => setChosen(null) };
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

/** The index of the time closest to `at`, by halving. */
function nearest(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low > 0 && at - times[low - 1]! < times[low]! - at ? low - 1 : low;
}
