import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { OnnxSource } from './onnx-models.ts';

/** Model files in a local folder. */
export function modelFolder(folder: string): OnnxSource {
  return {
    async read(file) {
      try {
        return new Uint8Array(await readFile(path.join(folder, file)));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
        throw error;
      }
    },
  };
}
