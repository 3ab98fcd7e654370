import { expect, test } from 'vitest';
import { keyStep } from './key-step.ts';

const press = (key: string, held: { shiftKey?: boolean; ctrlKey?: boolean } = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  ...held,
});
const PLACE = { at: 10, last: 100, measured: null, canMove: true };

test('arrows step, pages go by a tenth, and both stop at the ends', () => {
  expect(keyStep(press('ArrowLeft'), PLACE)).toEqual({ kind: 'look', at: 9 });
  expect(keyStep(press('PageUp'), PLACE)).toEqual({ kind: 'look', at: 20 });
  expect(keyStep(press('ArrowLeft'), { ...PLACE, at: 0 })).toEqual({ kind: 'look', at: 0 });
  expect(keyStep(press('End'), PLACE)).toEqual({ kind: 'look', at: 100 });
});

test('plus, minus, nought and Shift with an arrow change the view, where it can change', () => {
  expect(keyStep(press('+'), PLACE)).toEqual({ kind: 'zoom', isNearer: true });
  expect(keyStep(press('-'), PLACE)).toEqual({ kind: 'zoom', isNearer: false });
  expect(keyStep(press('0'), PLACE)).toEqual({ kind: 'whole' });
  expect(keyStep(press('ArrowRight', { shiftKey: true }), PLACE)).toEqual({ kind: 'pan', points: 20 });
  expect(keyStep(press('+'), { ...PLACE, canMove: false })).toBe(null);
});

test('while measuring, the arrows move the end and M ends it', () => {
  expect(keyStep(press('m'), PLACE)).toEqual({ kind: 'measure', span: { from: 10, to: 10 } });
  const measuring = { ...PLACE, measured: { from: 10, to: 10 } };
  expect(keyStep(press('ArrowRight'), measuring)).toEqual({ kind: 'measure', span: { from: 10, to: 11 } });
  expect(keyStep(press('M'), measuring)).toEqual({ kind: 'measure', span: null });
});

test("the browser's own shortcuts stay with it", () => {
  expect(keyStep(press('+', { ctrlKey: true }), PLACE)).toBe(null);
  expect(keyStep(press('Tab'), PLACE)).toBe(null);
});
