/** What moves the view; points are counted from the first in sight. */
export type ViewActions = {
  /** A factor below 1 comes nearer; the point `anchor` stays where it is. */
  readonly zoom: (factor: number, anchor: number) => void;
  readonly pan: (points: number) => void;
  readonly select: (from: number, to: number) => void;
  readonly showAll: () => void;
};

export type Span = { readonly from: number; readonly to: number };

/** Where points lie on the screen. */
export type Geometry = {
  /** From the left edge of the chart. */
  readonly placeOf: (clientX: number) => number;
  /** 0 at the first point, 1 at the last. */
  readonly shareOf: (x: number) => number;
  readonly pointAt: (x: number) => number;
  readonly pointsOf: (px: number) => number;
  readonly last: number;
};
