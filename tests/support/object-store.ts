// An object store that speaks the protocol of S3 and checks signatures: s3rver, in this process, on files of a folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';

/** Its only keys, both. */
export const STORE_KEY = 'S3RVER';
const BUCKET = 'agreements';

export type ObjectStore = { readonly url: string; close(): Promise<void> };

export async function startObjectStore(): Promise<ObjectStore> {
  const directory = mkdtempSync(path.join(tmpdir(), 'object-store-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  return {
    url: `http://127.0.0.1:${port}/${BUCKET}`,
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
