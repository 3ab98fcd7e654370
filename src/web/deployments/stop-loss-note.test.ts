import { expect, test } from 'vitest';
import type { Position } from '#contract/deployments.ts';
import { stopLossNote } from './stop-loss-note.ts';

const position = (unprotected: boolean) => ({ unprotected }) as Position;

test('no backup stop is promised for a position that has none', () => {
  const protectedOnly = { mode: 'paper' as const, positions: [position(false)] };
  expect(stopLossNote(protectedOnly)).toMatch(/a backup stop sits at your broker 1% further away$/);
  const both = { mode: 'paper' as const, positions: [position(false), position(true)] };
  expect(stopLossNote(both)).toMatch(/, but none for what is marked Unprotected$/);
});

test('a stop of practice rests at no broker', () => {
  expect(stopLossNote({ mode: 'practice', positions: [] })).not.toContain('broker');
});
