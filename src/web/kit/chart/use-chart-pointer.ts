import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { keyStep } from './scale/key-step.ts';

/** What moves the view; points are counted from the first in sight. */
export type ViewActions = {
  /** A factor below 1 comes nearer; the point `anchor` stays where it is. */
  readonly zoom: (factor: number, anchor: number) => void;
  readonly pan: (points: number) => void;
  readonly select: (from: number, to: number) => void;
  readonly showAll: () => void;
};

export type Span = { readonly from: number; readonly to: number };

type Drag = { readonly kind: 'select' | 'pan'; readonly from: number; readonly to: number; readonly x: number };

const CLICK_PX = 6;
const KEY_FACTOR = 0.6;

/**
 * The day looked at, the days chosen by a drag and the days measured. Mouse: a drag zooms, with Shift it moves. Fingers: one
 * looks, two zoom and move. Wheel: sideways moves, with Ctrl it zooms. Keys: see KEYS. `view` null: it can only be looked at.
 */
export function useChartPointer({
  times,
  plot,
  view,
  isMeasuring,
  onEnter,
}: {
  times: readonly number[];
  plot: { readonly left: number; readonly right: number };
  view: ViewActions | null;
  isMeasuring: boolean;
  onEnter: (index: number) => void;
}) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [measured, setMeasured] = useState<Span | null>(null);
  const fingers = useRef(new Map<number, number>());
  const box = useRef<HTMLDivElement>(null);
  const last = times.length - 1;
  const index = chosen === null ? null : Math.min(chosen, last);

  const placeOf = (clientX: number) => clientX - (box.current?.getBoundingClientRect().left ?? 0);
  const shareOf = (x: number) => Math.min(1, Math.max(0, (x - plot.left) / (plot.right - plot.left)));
  const pointAt = (x: number) => {
    const [from, to] = [times[0] ?? 0, times[last] ?? 0];
    return nearest(times, from + shareOf(x) * (to - from));
  };

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const x = placeOf(event.clientX);
    fingers.current.set(event.pointerId, x);
    const at = pointAt(x);
    setChosen(at);
    if (fingers.current.size > 1) return setDrag(null);
    const isMouse = event.pointerType === 'mouse';
    if (event.button !== 0 || (!isMouse && !isMeasuring) || (view === null && !isMeasuring)) return undefined;
    event.currentTarget.setPointerCapture(event.pointerId);
    return setDrag({ kind: event.shiftKey && !isMeasuring ? 'pan' : 'select', from: at, to: at, x });
  };

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const x = placeOf(event.clientX);
    if (fingers.current.size === 2 && fingers.current.has(event.pointerId)) return pinch(event.pointerId, x);
    const at = pointAt(x);
    setChosen(at);
    if (drag === null) return undefined;
    if (drag.kind === 'select') return setDrag({ ...drag, to: at });
    view?.pan(pointsOf(drag.x - x));
    return setDrag({ ...drag, x });
  };

  const pinch = (finger: number, x: number) => {
    const before = [...fingers.current.values()];
    fingers.current.set(finger, x);
    const after = [...fingers.current.values()];
    const width = (ends: readonly number[]) => Math.max(8, Math.abs(ends[0]! - ends[1]!));
    const middle = (ends: readonly number[]) => (ends[0]! + ends[1]!) / 2;
    view?.zoom(width(before) / width(after), shareOf(middle(after)) * last);
    view?.pan(pointsOf(middle(before) - middle(after)));
    setChosen(null);
  };

  const pointsOf = (px: number) => (px / (plot.right - plot.left)) * last;

  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const x = placeOf(event.clientX);
    const from = fingers.current.get(event.pointerId) ?? x;
    fingers.current.delete(event.pointerId);
    setDrag(null);
    if (drag === null) return;
    const isClick = Math.abs(x - from) < CLICK_PX && drag.from === drag.to;
    if (drag.kind === 'pan') return;
    if (isMeasuring) setMeasured(isClick ? null : { from: drag.from, to: drag.to });
    else if (isClick || Math.abs(x - from) < CLICK_PX) onEnter(drag.to);
    else view?.select(drag.from, drag.to);
  };

  const onPointerCancel = (event: PointerEvent<HTMLDivElement>) => {
    fingers.current.delete(event.pointerId);
    setDrag(null);
  };

  const onPointerLeave = () => drag === null && setChosen(null);

  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (view === null) return;
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!event.ctrlKey && !isSideways) return;
    event.preventDefault();
    if (event.ctrlKey) view.zoom(Math.exp(event.deltaY / 200), shareOf(placeOf(event.clientX)) * last);
    else view.pan(pointsOf(event.deltaX));
  });
  // React listens passively to the wheel, and then the page scrolls along.
  useEffect(() => {
    const element = box.current;
    const listening = new AbortController();
    element?.addEventListener('wheel', (event) => onWheel(event), { passive: false, signal: listening.signal });
    return () => listening.abort();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const at = index ?? last;
    const step = keyStep(event, { at, last, measured, canMove: view !== null });
    if (step === null) return;
    event.preventDefault();
    if (step.kind === 'look') setChosen(step.at);
    else if (step.kind === 'leave') {
      setChosen(null);
      setMeasured(null);
    } else if (step.kind === 'measure') {
      setMeasured(step.span);
      setChosen(step.span?.to ?? at);
    } else if (step.kind === 'open') onEnter(at);
    else if (step.kind === 'zoom') view?.zoom(step.isNearer ? KEY_FACTOR : 1 / KEY_FACTOR, at);
    else if (step.kind === 'pan') view?.pan(step.points);
    else view?.showAll();
  };

  const shown = drag?.kind === 'select' && drag.from !== drag.to ? drag : null;
  return {
    box,
    index,
    /** The days under a drag, which will be zoomed to or are measured. */
    dragged: shown,
    measured: isMeasuring && shown ? shown : measured && clamp(measured, last),
    clearMeasured: () => setMeasured(null),
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel,
      onPointerLeave,
      onDoubleClick: () => view?.showAll(),
      onKeyDown,
      onBlur: () => setChosen(null),
    } satisfies Record<string, unknown>,
  };
}

export type ChartBox = RefObject<HTMLDivElement | null>;

function clamp({ from, to }: Span, last: number): Span {
  return { from: Math.min(from, last), to: Math.min(to, last) };
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
