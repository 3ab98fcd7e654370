import { type Environment, readEnvironment } from './environment.ts';
import { fillFromVault } from './vault-settings.ts';

/** The settings of a command that stands beside a running product. Throws an Error that names the setting. */
export async function commandEnvironment(): Promise<Environment> {
  await fillFromVault(process.env);
  return readEnvironment();
}
