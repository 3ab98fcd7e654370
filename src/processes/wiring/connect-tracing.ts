import { NO_TRACING, type Tracing } from '#ports/tracing.ts';
import { LATENCY_BOUNDS } from '#records/operations/chain-latencies.ts';
import type { TraderLogger } from '#trader/dependencies.ts';
import type { Environment } from '../environment/environment.ts';
import type { Role } from './broker-wiring.ts';
import { productVersion } from './product-version.ts';

/** Nothing of it is loaded unless a collector is named. */
export async function connectTracing(
  { tracing }: Pick<Environment, 'tracing'>,
  { role, logger }: { readonly role: Role; readonly logger: Pick<TraderLogger, 'warn'> },
): Promise<Tracing> {
  if (tracing === null) return NO_TRACING;
  const { openTelemetry } = await import('#adapters/tracing/open-telemetry/open-telemetry.ts');
  return openTelemetry({
    service: `bellwether-${role}`,
    version: productVersion(),
    sampled: tracing.sampled,
    bounds: LATENCY_BOUNDS,
    onTrouble: (message) => logger.warn({}, `tracing: ${message}`),
  });
}
