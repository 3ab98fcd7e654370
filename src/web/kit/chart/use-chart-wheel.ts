import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { Geometry, ViewActions } from './scale/chart-geometry.ts';

const ZOOM_PX = 200;

/** The wheel: sideways moves the view, with Ctrl (a trackpad's pinch) it zooms; otherwise the page scrolls. */
export function useChartWheel(
  box: RefObject<HTMLDivElement | null>,
  { placeOf, shareOf, pointsOf, last }: Geometry,
  view: ViewActions | null,
): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (view === null || !(event.ctrlKey || isSideways)) return;
    event.preventDefault();
    if (event.ctrlKey) view.zoom(Math.exp(event.deltaY / ZOOM_PX), shareOf(placeOf(event.clientX)) * last);
    else view.pan(pointsOf(event.deltaX));
  });
  // React listens passively to the wheel, and then the page would scroll along.
  useEffect(() => {
    const listening = new AbortController();
    box.current?.addEventListener('wheel', (event) => onWheel(event), {
      passive: false,
      signal: listening.signal,
    });
    return () => listening.abort();
  }, [box]);
}
