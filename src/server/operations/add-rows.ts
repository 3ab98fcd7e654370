import { Gauge, type Registry } from 'prom-client';

type Row = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A gauge whose rows are read each time. */
export function addRows(
  registry: Registry,
  name: string,
  help: string,
  read: () => Promise<readonly Row[]>,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: ['kind', 'queue', 'severity', 'state', 'status'],
    registers: [],
    async collect() {
      const rows = await read();
      this.reset();
      for (const [labels, value] of rows) this.set(labels, value);
    },
  });
  registry.registerMetric(gauge);
}
