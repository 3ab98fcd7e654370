import type { Environment } from './environment.ts';

/** Practice money on the sandbox's accounts alone. */
export function isDemoWorld({ brokers }: Pick<Environment, 'brokers'>): boolean {
  return brokers.every(({ choice }) => choice === 'sandbox');
}
