import { expect, test } from 'vitest';
import { EVERY_ENDPOINT } from '#contract/every-endpoint.ts';
import { ERROR_CODES } from '#contract/http/error-code.ts';
import { testApp } from '../../../tests/support/test-app.ts';

const app = await testApp();
const { request } = app;

test('the reader shows every operation and every code, without a script', async () => {
  const page = await request({ url: '/api/docs/' });
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  for (const name of Object.keys(EVERY_ENDPOINT)) expect(page.text).toContain(`<details id="${name}">`);
  for (const code of Object.keys(ERROR_CODES)) expect(page.text).toContain(`<code>${code}</code>`);
  expect(page.text).not.toContain('<script');
  expect((await request({ url: '/api/docs/reader.css' })).headers['content-type']).toContain('text/css');
});

test('metrics count answers by their published address, and name nobody', async () => {
  const id = '00000000-0000-4000-8000-000000000000';
  await request({ url: `/api/strategies/${id}/` });
  const { status, headers, text } = await request({ url: '/api/metrics' });
  expect(status).toBe(200);
  expect(headers['content-type']).toContain('text/plain');
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/strategies/:id/",status="404"} 1',
  );
  expect(text).toMatch(/^trader_lag_seconds NaN$/im);
  expect(text).toMatch(/^streams_open 0$/m);
  expect(text).not.toContain(id);
});
