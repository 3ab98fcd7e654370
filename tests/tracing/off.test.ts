// Off by default, and then nothing of it is even loaded.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readTracing } from '#processes/environment/tracing-settings.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const PROGRAM = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  const count = () => loaded.filter((url) => /@opentelemetry\\/(?:sdk|exporter|core)|open-telemetry\\.ts/.test(url)).length;
  await import('#processes/wiring/wire-trader.ts');
  await import('#processes/wiring/wire-server.ts');
  const { connectTracing } = await import('#processes/wiring/connect-tracing.ts');
  const options = { role: 'trader', logger: { warn: () => undefined } };
  const { isOn } = await connectTracing({ tracing: null }, options);
  const off = { isOn, modules: count() };
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:9';
  const tracing = await connectTracing({ tracing: { sampled: 1 } }, options);
  console.log(JSON.stringify({ off, on: { isOn: tracing.isOn, hasModules: count() > 10 } }));
  process.exit(0);
`;

test('without a collector no module of OpenTelemetry is loaded by the trader or the API', {
  timeout: 60_000,
}, () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(stderr).not.toContain('Error');
  expect(JSON.parse(stdout)).toEqual({
    off: { isOn: false, modules: 0 },
    on: { isOn: true, hasModules: true },
  });
});

const readFrom = (variables: Readonly<Record<string, string>>) =>
  readTracing((name) => variables[name] ?? null);
const NAMED = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4318' };

test('a collector turns it on, and the standard switch off again', () => {
  expect(readFrom({})).toBeNull();
  expect(readFrom({ OTEL_TRACES_SAMPLER: 'always_on' })).toBeNull();
  expect(readFrom(NAMED)).toEqual({ sampled: 1 });
  expect(readFrom({ ...NAMED, OTEL_SDK_DISABLED: 'true' })).toBeNull();
  expect(
    readFrom({ ...NAMED, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }),
  ).toEqual({
    sampled: 0.1,
  });
  expect(readFrom({ ...NAMED, OTEL_TRACES_SAMPLER: 'parentbased_always_off' })).toEqual({ sampled: 0 });
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'must be the address of a collector'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:key@collector.test' },
    'belongs into OTEL_EXPORTER_OTLP_HEADERS',
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test?key=1' }, 'belongs into OTEL_EXPORTER_OTLP_HEADERS'],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector.test/v1/traces' },
    'is set without OTEL_EXPORTER_OTLP_ENDPOINT',
  ],
  [{ ...NAMED, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'must be http/json, not "grpc"'],
  [{ ...NAMED, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'must be always_on, always_off or traceidratio'],
  [{ ...NAMED, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '10' }, 'from 0 to 1, not "10"'],
])('%j is refused with the way out', (variables: Readonly<Record<string, string>>, said) => {
  expect(() => readFrom(variables)).toThrow(said);
});
