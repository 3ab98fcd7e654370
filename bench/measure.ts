// Medians of processor time: the cost of an engine on a machine with other load.

export type Sample = { readonly cpuMs: number; readonly wallMs: number };

const ROUNDS = 9;
const BATCH = 10;

/** Takes turns, so that other load on the machine affects all alike. */
export function measure<Name extends string>(runs: Readonly<Record<Name, () => void>>): Record<Name, Sample> {
  const names = Object.keys(runs) as Name[];
  const samples = new Map<Name, Sample[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) samples.get(name)!.push(sample(runs[name]));
  }
  return Object.fromEntries(names.map((name) => [name, middle(samples.get(name)!)])) as Record<Name, Sample>;
}

/** The mean of a batch: the processor's own clock ticks too coarsely for one run. */
function sample(run: () => void): Sample {
  for (let i = 0; i < 2; i++) run();
  const cpu = process.threadCpuUsage();
  const from = performance.now();
  for (let i = 0; i < BATCH; i++) run();
  const wallMs = (performance.now() - from) / BATCH;
  const { user, system } = process.threadCpuUsage(cpu);
  return { cpuMs: (user + system) / 1_000 / BATCH, wallMs };
}

function middle(samples: readonly Sample[]): Sample {
  return { cpuMs: median(samples.map((one) => one.cpuMs)), wallMs: median(samples.map((one) => one.wallMs)) };
}

export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The nearest rank. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
