// A collector of OpenTelemetry on this machine: keeps the spans and figures that are sent to it as JSON over HTTP.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type CollectedSpan = {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Null for a root. */
  readonly parentSpanId: string | null;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly hasFailed: boolean;
};

export type Histogram = {
  readonly name: string;
  readonly stage: string;
  readonly count: number;
  readonly bounds: readonly number[];
};

export type TraceCollector = {
  readonly url: string;
  readonly spans: CollectedSpan[];
  readonly histograms: Histogram[];
  /** Everything that arrived, headers too. */
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[];
  /** silent: takes requests and never answers. refuses: answers that it is overloaded. */
  mood: 'takes' | 'silent' | 'refuses';
  close(): Promise<void>;
};

export async function startTraceCollector(port = 0): Promise<TraceCollector> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      collector.requests.push({ path: request.url ?? '', headers: request.headers, body });
      if (collector.mood === 'silent') return;
      if (collector.mood === 'refuses') {
        response.writeHead(503).end();
        return;
      }
      const sent = JSON.parse(body) as Sent;
      collector.spans.push(...(sent.resourceSpans ?? []).flatMap(readSpans));
      collector.histograms.push(...(sent.resourceMetrics ?? []).flatMap(readHistograms));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  const collector: TraceCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    histograms: [],
    requests: [],
    mood: 'takes',
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return collector;
}

type Value = {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
};
type Pair = { readonly key: string; readonly value: Value };
type Resource = { readonly attributes: readonly Pair[] };

type ResourceSpans = {
  readonly resource: Resource;
  readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
};

type SentSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Pair[];
  readonly status: { readonly code: number };
};

type ResourceMetrics = {
  readonly scopeMetrics: readonly {
    readonly metrics: readonly {
      readonly name: string;
      readonly histogram?: {
        readonly dataPoints: readonly {
          readonly attributes: readonly Pair[];
          readonly count: number | string;
          readonly explicitBounds: readonly number[];
        }[];
      };
    }[];
  }[];
};

type Sent = {
  readonly resourceSpans?: readonly ResourceSpans[];
  readonly resourceMetrics?: readonly ResourceMetrics[];
};

const valuesOf = (pairs: readonly Pair[]) =>
  Object.fromEntries(
    pairs.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
  );

function readSpans({ resource, scopeSpans }: ResourceSpans): CollectedSpan[] {
  const service = String(valuesOf(resource.attributes)['service.name']);
  return scopeSpans.flatMap(({ spans }) =>
    spans.map((span) => ({
      service,
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId || null,
      name: span.name,
      from: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
      until: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
      attributes: valuesOf(span.attributes),
      hasFailed: span.status.code === 2,
    })),
  );
}

function readHistograms({ scopeMetrics }: ResourceMetrics): Histogram[] {
  return scopeMetrics.flatMap(({ metrics }) =>
    metrics.flatMap(({ name, histogram }) =>
      (histogram?.dataPoints ?? []).map(({ attributes, count, explicitBounds }) => ({
        name,
        stage: String(valuesOf(attributes).stage),
        count: Number(count),
        bounds: explicitBounds,
      })),
    ),
  );
}
