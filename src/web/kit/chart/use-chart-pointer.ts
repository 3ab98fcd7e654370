import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import type { Geometry, Span, ViewActions } from './scale/chart-geometry.ts';
import { keyStep } from './scale/key-step.ts';
import { useChartWheel } from './use-chart-wheel.ts';

type Asked = {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly times: readonly number[];
  readonly plot: { readonly left: number; readonly right: number };
  readonly view: ViewActions | null;
  readonly isMeasuring: boolean;
  readonly onEnter: (index: number) => void;
};

const KEY_FACTOR = 0.6;

/**
 * The day looked at, the days chosen by a drag and the days measured. Mouse: a drag zooms, with Shift it moves. Fingers: one
 * looks, two zoom and move. Wheel: sideways moves, with Ctrl it zooms. Keys: see keyStep. `view` null: it can only be
 * looked at.
 */
export function useChartPointer(asked: Asked) {
  const { view, onEnter, isMeasuring } = asked;
  const [chosen, setChosen] = useState<number | null>(null);
  const [measured, setMeasured] = useState<Span | null>(null);
  const geometry = geometryOf(asked);
  const { last } = geometry;
  const index = chosen === null ? null : Math.min(chosen, last);
  useChartWheel(asked.box, geometry, view);
  const { dragged, ...pointers } = usePointers({ ...asked, geometry, setChosen, setMeasured });

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

  return {
    index,
    /** The days under a drag, which will be zoomed to or are measured. */
    dragged,
    measured: isMeasuring && dragged ? dragged : measured && within(measured, last),
    clearMeasured: () => setMeasured(null),
    handlers: {
      ...pointers,
      onKeyDown,
      onDoubleClick: () => view?.showAll(),
      onBlur: () => setChosen(null),
    },
  };
}

type Drag = Span & { readonly kind: 'select' | 'pan'; readonly x: number; readonly begunAt: number };

const CLICK_PX = 6;

function usePointers({
  view,
  isMeasuring,
  onEnter,
  geometry,
  setChosen,
  setMeasured,
}: Asked & {
  readonly geometry: Geometry;
  readonly setChosen: (index: number | null) => void;
  readonly setMeasured: (span: Span | null) => void;
}) {
  const { placeOf, pointAt, pointsOf } = geometry;
  const [drag, setDrag] = useState<Drag | null>(null);
  const fingers = useRef(new Map<number, number>());

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const x = placeOf(event.clientX);
    fingers.current.set(event.pointerId, x);
    const at = pointAt(x);
    setChosen(at);
    const isDragging = isMeasuring || (view !== null && event.pointerType === 'mouse');
    if (fingers.current.size > 1 || event.button !== 0 || !isDragging) return setDrag(null);
    event.currentTarget.setPointerCapture(event.pointerId);
    const kind = event.shiftKey && !isMeasuring ? 'pan' : 'select';
    return setDrag({ kind, from: at, to: at, x, begunAt: x });
  };

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const x = placeOf(event.clientX);
    if (fingers.current.size === 2 && fingers.current.has(event.pointerId)) {
      const before = [...fingers.current.values()];
      fingers.current.set(event.pointerId, x);
      setChosen(null);
      return view && pinch(view, geometry, { before, after: [...fingers.current.values()] });
    }
    const at = pointAt(x);
    setChosen(at);
    if (drag === null) return undefined;
    if (drag.kind === 'select') return setDrag({ ...drag, to: at });
    view?.pan(pointsOf(drag.x - x));
    return setDrag({ ...drag, x });
  };

  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    fingers.current.delete(event.pointerId);
    setDrag(null);
    if (drag === null || drag.kind === 'pan') return;
    const isClick = Math.abs(placeOf(event.clientX) - drag.begunAt) < CLICK_PX;
    if (isMeasuring) setMeasured(isClick ? null : { from: drag.from, to: drag.to });
    else if (isClick) onEnter(drag.to);
    else view?.select(drag.from, drag.to);
  };

  const onPointerCancel = (event: PointerEvent<HTMLDivElement>) => {
    fingers.current.delete(event.pointerId);
    setDrag(null);
  };

  const dragged = drag?.kind === 'select' && drag.from !== drag.to ? drag : null;
  return {
    dragged,
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel,
    onPointerLeave: () => drag === null && setChosen(null),
  };
}

/** What lay between the fingers stays between them. */
function pinch(
  view: ViewActions,
  { shareOf, pointsOf, last }: Geometry,
  { before, after }: { readonly before: readonly number[]; readonly after: readonly number[] },
): void {
  const width = (ends: readonly number[]) => Math.max(8, Math.abs(ends[0]! - ends[1]!));
  const middle = (ends: readonly number[]) => (ends[0]! + ends[1]!) / 2;
  view.zoom(width(before) / width(after), shareOf(middle(after)) * last);
  view.pan(pointsOf(middle(before) - middle(after)));
}

function geometryOf({ box, times, plot }: Asked): Geometry {
  const last = times.length - 1;
  const width = plot.right - plot.left;
  const shareOf = (x: number) => Math.min(1, Math.max(0, (x - plot.left) / width));
  return {
    last,
    placeOf: (clientX) => clientX - (box.current?.getBoundingClientRect().left ?? 0),
    shareOf,
    pointAt: (x) => {
      const [from, to] = [times[0] ?? 0, times[last] ?? 0];
      return nearest(times, from + shareOf(x) * (to - from));
    },
    pointsOf: (px) => (px / width) * last,
  };
}

function within({ from, to }: Span, last: number): Span {
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
