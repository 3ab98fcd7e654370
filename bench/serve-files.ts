// The files of one page for a browser, on a port of their own.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Files = { readonly [path: string]: { readonly type: string; readonly body: string | Buffer } };

export async function serveFiles(
  files: Files,
): Promise<{ readonly address: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const file = files[request.url ?? ''];
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': file.type }).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => void server.close(),
  };
}
