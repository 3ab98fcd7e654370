import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { strategyDraftEndpoints } from '#contract/strategies/strategy-drafts.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { mountRoom } from '../../http/mount-room.ts';
import { changeStrategy } from './change-strategy.ts';
import { createStrategy } from './create-strategy.ts';
import { getThumbnail } from '../get-thumbnail.ts';
import { listDrafts } from './list-drafts.ts';
import { removeStrategy } from './remove-strategy.ts';

const FILE_BYTES_MAX = 2 * 1024 * 1024;
const FIELD_BYTES_MAX = 256 * 1024;

/** The only calls of the product that accept forms with files. */
export async function mountDrafts(app: FastifyInstance, dependencies: Dependencies): Promise<void> {
  await app.register(async (forms) => {
    await forms.register(multipart, {
      attachFieldsToBody: 'keyValues',
      limits: { fileSize: FILE_BYTES_MAX, files: 2, fields: 20, fieldSize: FIELD_BYTES_MAX },
      async onFile(part) {
        const bytes = await part.toBuffer();
        const isText = part.fieldname === 'definition';
        // What the body gets under this name.
        Object.assign(part, {
          value: isText ? bytes.toString('utf8') : new File([new Uint8Array(bytes)], part.filename),
        });
      },
    });
    mountRoom(forms, dependencies, {
      endpoints: strategyDraftEndpoints,
      calls: {
        listStrategyDrafts: listDrafts,
        createStrategy,
        changeStrategy,
        removeStrategy,
        getStrategyThumbnail: getThumbnail,
      },
    });
  });
}
