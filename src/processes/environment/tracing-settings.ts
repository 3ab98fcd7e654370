// Whether the chain is traced, by the standard variables of OpenTelemetry. Those that are not read here (headers, time limit,
// compression, the name of the service) are read by its own packages.
type Text = (name: string) => string | null;

export type TracingEnvironment = {
  /** The part of all traces that is sent. */
  readonly sampled: number;
};

/** Null unless a collector is named. Throws an Error that names the setting and the way out. */
export function readTracing(text: Text): TracingEnvironment | null {
  const named = ADDRESSES.filter((name) => text(name) !== null);
  if (named.length === 0 || text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null;
  if (text(COLLECTOR) === null)
    throw new Error(`${named[0]} is set without ${COLLECTOR}: set that to the address of the collector`);
  for (const name of named) refuseAddress(name, text(name) ?? '');
  const protocol = text('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol !== null && protocol !== 'http/json')
    throw new Error(
      `OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, not "${protocol}": name the HTTP port of the collector, usually 4318`,
    );
  return { sampled: readSampled(text) };
}

const COLLECTOR = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const ADDRESSES = [
  COLLECTOR,
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
] as const;

function refuseAddress(name: string, address: string): void {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new Error(`${name} must be the address of a collector, such as http://127.0.0.1:4318`);
  const { username, password, search } = new URL(address);
  if (username !== '' || password !== '' || search !== '')
    throw new Error(
      `${name} takes an address only: a key belongs into OTEL_EXPORTER_OTLP_HEADERS, which is not logged`,
    );
}

/** Every process decides by the id of the trace, so that a parent decides nothing that its child would not. */
function readSampled(text: Text): number {
  const sampler = (text('OTEL_TRACES_SAMPLER') ?? 'always_on').replace(/^parentbased_/, '');
  if (sampler === 'always_on') return 1;
  if (sampler === 'always_off') return 0;
  if (sampler !== 'traceidratio')
    throw new Error(
      `OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, not "${text('OTEL_TRACES_SAMPLER')}"`,
    );
  const ratio = text('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const part = Number(ratio);
  if (!(part >= 0 && part <= 1))
    throw new Error(`OTEL_TRACES_SAMPLER_ARG must be a part of all traces from 0 to 1, not "${ratio}"`);
  return part;
}
