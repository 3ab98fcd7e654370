import { pino } from 'pino';
import { expect, test } from 'vitest';
import { LOG_OPTIONS } from './log-options.ts';

const logged = (write: (logger: ReturnType<typeof pino>) => void) => {
  const lines: string[] = [];
  write(pino(LOG_OPTIONS, { write: (line: string) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

test('a logged error keeps its stack, its code and its cause', () => {
  const error = Object.assign(new Error('no answer', { cause: new Error('refused') }), { code: 'ECONNREFUSED' });
  const [line] = logged((logger) => logger.error({ err: error }, 'trader: tick failed'));
  expect(line!['err']).toMatchObject({ type: 'Error', code: 'ECONNREFUSED' });
  expect((line!['err'] as { stack: string }).stack).toMatch(/no answer[\s\S]+log-options\.test[\s\S]+refused/);
});
