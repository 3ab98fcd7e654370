import { expect, it } from 'vitest';
import type { IsoDate } from '#units/instant.ts';
import { CASH_ACTIVITY_KINDS, type EstimatedEvent, isAheadOfBooks, judgeActivity } from './cash-activity.ts';

const day = (date: string) => date as IsoDate;
const event = (date: string, isStated = false): EstimatedEvent => ({ sessionDate: day(date), isStated });
const none = { events: [], isTraded: true };

it('is the owner’s where no holding is concerned', () => {
  const lines = { interest: 'interest', fee: 'fees', deposit: 'transfers', withdrawal: 'transfers' } as const;
  for (const [kind, line] of Object.entries(lines))
    expect(judgeActivity({ kind: kind as keyof typeof lines, date: day('2026-03-20') }, none)).toEqual({
      type: 'owner',
      line,
    });
});

it('is the figure for the oldest event within two months that has none', () => {
  const events = [event('2025-12-10'), event('2026-03-05'), event('2026-03-12')];
  const at = { kind: 'dividend', date: day('2026-03-20') } as const;
  expect(judgeActivity(at, { events, isTraded: true })).toEqual({ type: 'event', sessionDate: '2026-03-05' });
});

it('corrects the event stated last when there is no other', () => {
  const events = [event('2026-03-05', true), event('2026-03-12', true)];
  const at = { kind: 'dividend', date: day('2026-03-20') } as const;
  expect(judgeActivity(at, { events, isTraded: true })).toEqual({ type: 'event', sessionDate: '2026-03-12' });
});

it('as a tax belongs to the stated dividend, not to one that is still to come', () => {
  const events = [event('2026-03-05', true), event('2026-03-19')];
  const at = { kind: 'withholding_tax', date: day('2026-03-20') } as const;
  expect(judgeActivity(at, { events, isTraded: true })).toEqual({ type: 'event', sessionDate: '2026-03-05' });
});

it('is the owner’s for an instrument that no deployment trades, and open for one that a deployment does', () => {
  for (const kind of ['dividend', 'withholding_tax', 'swap', 'delivery'] as const) {
    const at = { kind, date: day('2026-03-20') };
    expect(judgeActivity(at, { events: [], isTraded: false }).type).toBe('owner');
    expect(judgeActivity(at, none)).toEqual({ type: 'open' });
    expect(judgeActivity(at, { events: [event('2026-03-23')], isTraded: true })).toEqual({ type: 'open' });
  }
});

it('as a fee for trades is of the day on which a deployment traded, and else the owner’s', () => {
  const at = { kind: 'trading_fee', date: day('2026-03-20') } as const;
  const traded = { events: [event('2026-03-20', true)], isTraded: false };
  expect(judgeActivity(at, traded)).toEqual({ type: 'event', sessionDate: '2026-03-20' });
  expect(judgeActivity({ ...at, date: day('2026-03-21') }, traded)).toEqual({ type: 'owner', line: 'fees' });
});

it('is always judged', () => {
  for (const kind of CASH_ACTIVITY_KINDS)
    expect(['owner', 'event', 'open']).toContain(judgeActivity({ kind, date: day('2026-03-20') }, none).type);
});

it('a dividend of a session that the books have not processed waits, and no other does', () => {
  const action = { kind: 'dividend', exDate: '2026-03-19' as IsoDate, amount: 0.41 } as const;
  const stated = { kind: 'dividend', date: '2026-03-18' as IsoDate } as const;
  const after = (processed: string) => ({ calendar: 'us-equity', processed: processed as IsoDate }) as const;
  expect(isAheadOfBooks(stated, [action], after('2026-03-17'))).toBe(true);
  expect(isAheadOfBooks(stated, [action], after('2026-03-18'))).toBe(false);
  // Of an earlier one, paid before the next is due.
  expect(isAheadOfBooks({ ...stated, date: '2026-03-17' as IsoDate }, [action], after('2026-03-16'))).toBe(
    false,
  );
  expect(isAheadOfBooks({ ...stated, kind: 'interest' }, [action], after('2026-03-17'))).toBe(false);
});
