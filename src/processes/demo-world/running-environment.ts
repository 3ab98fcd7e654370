import { type Environment, readEnvironment } from '../environment/environment.ts';
import { recallSandboxPort } from './sandbox-port.ts';
import { sandboxVariables } from './sandbox-variables.ts';

/** The environment of a command next to the running product: it uses the sandbox that the product started. */
export function runningEnvironment(): Environment {
  const environment = readEnvironment(process.env, 'demo-world');
  const port = environment.sandbox.port ?? recallSandboxPort(environment.dataDir);
  if (port === null) return environment;
  return readEnvironment({ ...sandboxVariables(environment, port), ...process.env }, 'demo-world');
}
