// `npm run trace`: starts the product with a collector of its own, waits until one close has become orders, fills and pushes to a
// screen, and draws its trace. `-- --kill` kills the trader between the orders and their fills. `-- --out FOLDER` writes elsewhere,
// `-- --spans FILE` draws recorded spans again. Ends with 1 when no close became fills in time.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DEMO_EMAIL, DEMO_PASSWORD } from '#processes/demo-world/demo-account/demo-user.ts';
import { productHome } from '../support/product.ts';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '../support/trace-collector.ts';
import { drawTrace } from './draw-trace.ts';

const { values } = parseArgs({
  options: {
    kill: { type: 'boolean', default: false },
    out: { type: 'string', default: 'docs' },
    spans: { type: 'string' },
    minutes: { type: 'string', default: '10' },
  },
});
const DAY_SECONDS = 60;
const SETTLES_MS = 5_000;
const STAGES = ['close', 'bars', 'targets', 'intent', 'send', 'acknowledge', 'fill', 'push'];
const ROOT = path.resolve(import.meta.dirname, '../..');
const folder = path.resolve(ROOT, values.out);

type Recorded = { readonly note: string; readonly spans: readonly CollectedSpan[] };

const recorded: Recorded | null =
  values.spans === undefined ? await record() : (JSON.parse(readFileSync(values.spans, 'utf8')) as Recorded);
if (recorded === null) {
  console.error(`No close became fills on a screen within ${values.minutes} minutes.`);
  process.exit(1);
}
const picture = drawTrace(recorded.spans, {
  title: 'One close, from the bar to the fill on a screen',
  note: recorded.note,
  ordersMax: 3,
});
for (const [place, text] of [
  ['pictures/trace-of-one-close.svg', picture],
  ['results/trace-of-one-close.json', `${JSON.stringify(recorded, null, 2)}\n`],
] as const) {
  mkdirSync(path.join(folder, path.dirname(place)), { recursive: true });
  writeFileSync(path.join(folder, place), text);
  console.log(`wrote ${path.relative(ROOT, path.join(folder, place))}`);
}

async function record(): Promise<Recorded | null> {
  const collector = await startTraceCollector();
  const home = await productHome();
  try {
    const product = await home.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      SANDBOX_DAY_SECONDS: String(DAY_SECONDS),
    });
    const stopListening = await listen(home.baseUrl);
    if (values.kill) {
      await until(() => collector.spans.some(({ name }) => name === 'acknowledge'));
      product.killRole('trader');
    }
    const found = await until(() => wholeTrace(collector));
    // What came with it may still be on its way.
    await sleep(SETTLES_MS);
    stopListening();
    await product.stop();
    if (found === null) return null;
    const spans = collector.spans
      .filter(({ traceId }) => traceId === found)
      .toSorted((a, b) => a.from - b.from);
    return { note: noteOf(spans), spans };
  } finally {
    await home.remove();
    await collector.close();
  }
}

function noteOf(spans: readonly CollectedSpan[]): string {
  const count = (wanted: string) => spans.filter(({ name }) => name === wanted).length;
  const killed = values.kill
    ? ' The trader was killed after it had sent the orders; another process booked the fills.'
    : '';
  return `Recorded from the demonstration (a market day takes ${DAY_SECONDS} seconds): ${count('intent')} orders, ${count('fill')} fills, ${count('push')} pushed.${killed}`;
}

/** The trace that has every stage; the one with the fewest orders, so that they fit the picture. */
function wholeTrace({ spans }: TraceCollector): string | null {
  const traces = Map.groupBy(spans, ({ traceId }) => traceId);
  const whole = [...traces].filter(([, own]) =>
    STAGES.every((stage) => own.some(({ name }) => name === stage)),
  );
  return whole.toSorted(([, a], [, b]) => a.length - b.length)[0]?.[0] ?? null;
}

async function until<Value>(look: () => Value | null | false): Promise<Value | null> {
  const deadline = Date.now() + Number(values.minutes) * 60_000;
  while (Date.now() < deadline) {
    const found = look();
    if (found !== null && found !== false) return found;
    await sleep(200);
  }
  return null;
}

/** A browser of the demo account, as far as the stream goes. */
async function listen(baseUrl: string): Promise<() => void> {
  const answer = await fetch(`${baseUrl}/api/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify({ email: DEMO_EMAIL, password: DEMO_PASSWORD }),
  });
  const { token } = (await answer.json()) as { token: string };
  const ended = new AbortController();
  const stream = await fetch(`${baseUrl}/api/stream/`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ended.signal,
  });
  if (!stream.ok) throw new Error(`the stream did not open: ${stream.status} ${await stream.text()}`);
  void (async () => {
    for await (const _ of stream.body!);
  })().catch(() => undefined);
  return () => ended.abort();
}
