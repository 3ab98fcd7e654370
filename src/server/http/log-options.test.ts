import { pino } from 'pino';
import { expect, test } from 'vitest';
import { LOG_OPTIONS } from './log-options.ts';

test('a logged error keeps its stack, its code and its cause', () => {
  const lines: string[] = [];
  const logger = pino(LOG_OPTIONS, { write: (line: string) => void lines.push(line) });
  const error = Object.assign(new Error('no answer', { cause: new Error('refused') }), {
    code: 'ECONNREFUSED',
  });
  logger.error({ err: error }, 'trader: tick failed');
  const { err } = JSON.parse(lines[0]!) as { err: { stack: string } };
  expect(err).toMatchObject({ type: 'Error', code: 'ECONNREFUSED' });
  expect(err.stack).toMatch(/no answer[\s\S]+log-options\.test[\s\S]+refused/);
});
