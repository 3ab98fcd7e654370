import fastify, { type FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { answerErrors } from './answer-errors.ts';
import { LOG_OPTIONS } from './log-options.ts';

test('a request that fails is logged once, with its route and without its ids', async () => {
  const lines: string[] = [];
  const app = fastify({
    loggerInstance: pino(LOG_OPTIONS, {
      write: (line: string) => void lines.push(line),
    }) as FastifyBaseLogger,
    disableRequestLogging: true,
  });
  answerErrors(app);
  app.get('/things/:id', () => {
    throw new Error('no such column');
  });
  const answer = await app.inject({ url: '/things/secret-id' });
  expect(answer.statusCode).toBe(500);
  expect(answer.body).not.toContain('column');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    msg: 'request failed',
    method: 'GET',
    route: '/things/:id',
    err: { message: 'no such column' },
  });
  expect(lines[0]).not.toContain('secret-id');
  await app.close();
});
