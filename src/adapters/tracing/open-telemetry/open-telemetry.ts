// Stages of the chain as spans and as a histogram of OpenTelemetry, sent to a collector over OTLP. Whatever the collector does, a
// caller waits for nothing: spans wait in a queue that has an end, and what finds no place there is lost.
import { createHash } from 'node:crypto';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { ChainPlace, ChainSpan, Tracing } from '#ports/tracing.ts';
import type { WallInstant } from '#units/wall-instant.ts';

export type OpenTelemetryOptions = {
  /** Of this process, unless OTEL_SERVICE_NAME says another. */
  readonly service: string;
  readonly version: string;
  /** The part of all traces that is sent, from 0 to 1: the same traces in every process, because their ids decide. */
  readonly sampled: number;
  /** The upper bounds of the histogram, in seconds. */
  readonly bounds: readonly number[];
  /** The collector did not take something, or spans were lost. */
  readonly onTrouble: (message: string) => void;
};

/** Address, headers, time limit and compression are the standard variables, which the exporters read themselves. */
export function openTelemetry(options: OpenTelemetryOptions): Tracing {
  const say = sayNowAndThen(options.onTrouble);
  listenToSdk(say);
  const resource = resourceFromAttributes({
    'service.name': options.service,
    'service.version': options.version,
  }).merge(detectResources({ detectors: [envDetector] }));
  const ids = givenIds();
  const tracers = new TracerProvider({
    resource,
    // Not by the parent: a process that has lost it, or never saw it, decides as all others do.
    sampler: new TraceIdRatioBasedSampler(options.sampled),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        maxQueueSize: QUEUED_MAX,
        maxExportBatchSize: BATCH_MAX,
        scheduledDelayMillis: 1_000,
      }),
    ],
  });
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: 15_000,
        exportTimeoutMillis: 10_000,
      }),
    ],
  });
  const tracer = tracers.getTracer('bellwether');
  const durations = meters.getMeter('bellwether').createHistogram('chain.stage.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: [...options.bounds] },
  });
  return {
    isOn: true,
    trace(span) {
      // What calls this has just changed the books: nothing may follow from a stage that cannot be told.
      try {
        begin(tracer, ids, span).end(new Date(msOf(span.until)));
      } catch (error) {
        say(error instanceof Error ? error.message : String(error));
      }
    },
    measure: (stage, seconds) => durations.record(seconds, { stage }),
    stop: () => within(STOP_WITHIN_MS, [tracers.shutdown(), meters.shutdown()]),
  };
}

function begin(tracer: Tracer, ids: ReturnType<typeof givenIds>, span: ChainSpan): Span {
  const own = spanOf(span);
  ids.next(own);
  const started = tracer.startSpan(
    own.name,
    {
      startTime: new Date(msOf(span.from)),
      attributes: { ...span.facts, 'bellwether.stage': span.stage },
    },
    own.parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, own.parent),
  );
  if (span.failure !== undefined) started.setStatus({ code: SpanStatusCode.ERROR, message: span.failure });
  return started;
}

/** As many as a close with ten thousand orders leaves behind at once; about a kilobyte each. */
const QUEUED_MAX = 20_000;
const BATCH_MAX = 1_000;
/** A role that stops has ten seconds for everything. */
const STOP_WITHIN_MS = 3_000;
/** A collector that is away is one line a minute. */
const TROUBLE_EVERY_MS = 60_000;

const msOf = (at: WallInstant): number => at as unknown as number;

/** The ids that a stage has in every process. */
function spanOf({ trace: of, stage, key, parent }: ChainSpan) {
  const traceId = of.replaceAll('-', '');
  const idOf = (place: Pick<ChainPlace, 'stage' | 'key'>) =>
    createHash('sha256').update(`${traceId} ${place.stage} ${place.key}`).digest('hex').slice(0, 16);
  return {
    name: stage,
    traceId,
    spanId: idOf({ stage, key }),
    parent:
      parent === null
        ? null
        : { traceId, spanId: idOf(parent), traceFlags: TraceFlags.SAMPLED, isRemote: true },
  };
}

type Ids = { readonly traceId: string; readonly spanId: string };

/** The SDK asks for ids as it starts a span, within the same call. */
function givenIds() {
  let given: Ids = { traceId: '', spanId: '' };
  return {
    next: (ids: Ids) => void (given = ids),
    generateTraceId: () => given.traceId,
    generateSpanId: () => given.spanId,
  };
}

function sayNowAndThen(onTrouble: (message: string) => void): (message: string) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (message) => {
    const now = performance.now();
    if (now - saidAt < TROUBLE_EVERY_MS) return;
    saidAt = now;
    onTrouble(message.slice(0, 200));
  };
}

/** Its own words, without what was sent: headers hold keys. */
function listenToSdk(say: (message: string) => void): void {
  const silent = () => undefined;
  diag.setLogger(
    { error: say, warn: say, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  setGlobalErrorHandler((error) => say(error instanceof Error ? error.message : String(error)));
}

async function within(ms: number, work: readonly Promise<void>[]): Promise<void> {
  const late = new AbortController();
  await Promise.race([
    Promise.allSettled(work),
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      late.signal.addEventListener('abort', () => clearTimeout(timer));
    }),
  ]);
  late.abort();
}
