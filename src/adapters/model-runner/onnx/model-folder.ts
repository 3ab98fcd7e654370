import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { OnnxSource } from './onnx-models.ts';

/** The model files below a folder of this machine. */
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
