import * as fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { readTimestamp } from './read-timestamp.ts';

describe('reading a timestamp', () => {
  it('reads what the database writes in UTC', () => {
    const text = (at: Date) =>
      at
        .toISOString()
        .replace('T', ' ')
        .replace(/\.?0*Z$/, '+00');
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (at) => {
          expect(readTimestamp(text(at)).toISOString()).toBe(at.toISOString());
        },
      ),
    );
  });

  it('drops fractions of a millisecond', () => {
    expect(readTimestamp('2026-11-21 20:45:01.123999+00').toISOString()).toBe('2026-11-21T20:45:01.123Z');
  });

  it.each(['2026-11-21 20:45:01+05:30', '12026-11-21 20:45:01+00', '0044-03-15 12:00:00+00 BC'])(
    'leaves %s to the driver',
    (text) => {
      const driver = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text') as (text: string) => Date;
      expect(readTimestamp(text)).toEqual(driver(text));
    },
  );
});
