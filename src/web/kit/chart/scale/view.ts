// The part of a record that is in sight. Ends may lie between two days while fingers move; what is drawn is rounded.

/** The first and the last point in sight, both included, counted from the first of the record. */
export type View = { readonly first: number; readonly last: number };

/** Fewer would not be a line. */
export const LEAST_POINTS = 5;

export function isWhole({ first, last }: View, length: number): boolean {
  return Math.round(first) <= 0 && Math.round(last) >= length - 1;
}

/** A factor below 1 comes nearer, above 1 goes away; the point `anchor` stays where it is. */
export function zoomView(view: View, length: number, zoom: { factor: number; anchor: number }): View {
  const least = Math.min(LEAST_POINTS - 1, length - 1);
  const span = view.last - view.first;
  const wanted = Math.min(length - 1, Math.max(least, span * zoom.factor));
  const share = span > 0 ? (zoom.anchor - view.first) / span : 1;
  return inside(zoom.anchor - share * wanted, wanted, length);
}

/** Moves by so many points, to later ones for a positive number, and stops at the ends of the record. */
export function panView(view: View, length: number, points: number): View {
  return inside(view.first + points, view.last - view.first, length);
}

/** From one point to another, in either order; around them where they are too close. */
export function viewBetween(one: number, other: number, length: number): View {
  const [first, last] = one < other ? [one, other] : [other, one];
  const least = Math.min(LEAST_POINTS - 1, length - 1);
  const span = Math.max(least, last - first);
  return inside(first - (span - (last - first)) / 2, span, length);
}

function inside(first: number, span: number, length: number): View {
  const from = Math.min(Math.max(0, first), Math.max(0, length - 1 - span));
  return { first: from, last: from + span };
}
