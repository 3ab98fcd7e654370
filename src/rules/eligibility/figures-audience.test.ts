import { expect, it } from 'vitest';
import type { IsoDate } from '#units/instant.ts';
import {
  audienceKey,
  decideFigures,
  figuresHiddenText,
  type FigureSwitch,
  parseAudience,
} from './figures-audience.ts';

const DAY = '2026-11-25' as IsoDate;
const off = (id: number, status: FigureSwitch['status'], country: string | null = null): FigureSwitch => ({
  id,
  status,
  country,
  isShown: false,
});
const isShown = (status: FigureSwitch['status'], country: string | null, switches: readonly FigureSwitch[]) =>
  decideFigures({ status, country }, switches, DAY).isShown;

it('shows hypothetical figures to everybody until they are switched off for somebody', () => {
  for (const status of ['visitor', 'person', 'client'] as const) expect(isShown(status, 'US', [])).toBe(true);
  expect(isShown('visitor', null, [off(1, 'visitor')])).toBe(false);
  expect(isShown('person', null, [off(1, 'visitor')])).toBe(true);
});

it('lets the newest switch count, and one of a country before one of all', () => {
  const switches = [{ ...off(3, 'client', 'US'), isShown: true }, off(2, 'client'), off(1, 'client', 'US')];
  expect(isShown('client', 'US', switches)).toBe(true);
  expect(isShown('client', 'CH', switches)).toBe(false);
  expect(isShown('client', null, switches)).toBe(false);
  expect(decideFigures({ status: 'client', country: 'CH' }, switches, DAY)).toEqual({
    ruleVersion: '2026-06, switch 2',
    isShown: false,
    reason: 'switched_off',
  });
});

it('says in a sentence to whom they are not shown', () => {
  expect(figuresHiddenText({ status: 'visitor', country: null })).toMatch('to visitors. Please sign in');
  expect(figuresHiddenText({ status: 'client', country: 'US' })).toMatch('to clients in the United States.');
  expect(figuresHiddenText({ status: 'person', country: null })).toMatch(
    'to people who have not signed an agreement.',
  );
});

it('names audiences by keys that it reads back, and no other', () => {
  for (const key of ['visitor everywhere', 'person everywhere', 'client US', 'person IN']) {
    const viewer = parseAudience(key);
    expect(viewer && audienceKey(viewer.status, viewer.country)).toBe(key);
  }
  for (const key of ['', 'visitor US', 'client XX', 'client', 'client US now', 'staff everywhere'])
    expect(parseAudience(key)).toBeNull();
});
