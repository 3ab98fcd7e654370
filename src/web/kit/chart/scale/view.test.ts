import { expect, test } from 'vitest';
import { isWhole, panView, viewBetween, zoomView } from './view.ts';

const LENGTH = 1001;
const WHOLE = { first: 0, last: LENGTH - 1 };

test('coming nearer keeps the point under the pointer where it is', () => {
  const view = zoomView(WHOLE, LENGTH, { factor: 0.5, anchor: 250 });
  expect(view).toEqual({ first: 125, last: 625 });
  expect((250 - view.first) / (view.last - view.first)).toBe(0.25);
});

test('going away ends at the whole record, coming nearer at five points', () => {
  const near = zoomView(WHOLE, LENGTH, { factor: 1e-6, anchor: 700 });
  expect(near.last - near.first).toBe(4);
  expect(zoomView(near, LENGTH, { factor: 1e6, anchor: 700 })).toEqual(WHOLE);
});

test('moving stops at both ends and keeps the width', () => {
  const view = { first: 100, last: 200 };
  expect(panView(view, LENGTH, 50)).toEqual({ first: 150, last: 250 });
  expect(panView(view, LENGTH, -500)).toEqual({ first: 0, last: 100 });
  expect(panView(view, LENGTH, 5_000)).toEqual({ first: 900, last: 1000 });
});

test('a selection may be drawn from either end, and is never narrower than five points', () => {
  expect(viewBetween(300, 100, LENGTH)).toEqual({ first: 100, last: 300 });
  expect(viewBetween(500, 500, LENGTH)).toEqual({ first: 498, last: 502 });
  expect(viewBetween(1000, 1000, LENGTH)).toEqual({ first: 996, last: 1000 });
});

test('a record shorter than a view is in sight whole', () => {
  expect(viewBetween(0, 1, 2)).toEqual({ first: 0, last: 1 });
  expect(isWhole(zoomView({ first: 0, last: 1 }, 2, { factor: 0.5, anchor: 0 }), 2)).toBe(true);
  expect(isWhole({ first: 0.4, last: 999.6 }, LENGTH)).toBe(true);
});
