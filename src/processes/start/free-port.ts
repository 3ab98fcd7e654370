// Whether a TCP port is free.
import { createServer } from 'node:net';

/** Null when the port can be listened on; otherwise why not. */
export function portRefusal(port: number, host: string): Promise<'taken' | 'forbidden' | null> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve('taken');
      else if (error.code === 'EACCES') resolve('forbidden');
      else reject(error);
    });
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
}

/** The first free port of `wanted`, `wanted + 1` and so on. */
export async function firstFreePort(wanted: number, host: string): Promise<number> {
  for (let port = wanted; port < Math.min(wanted + 200, 65_536); port++) {
    if ((await portRefusal(port, host)) === null) return port;
  }
  throw new Error(`no free port from ${wanted} to ${wanted + 199}`);
}
