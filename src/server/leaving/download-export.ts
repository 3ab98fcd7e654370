import type { leavingEndpoints } from '#contract/leaving.ts';
import { useExportLink } from '#records/leaving/export-links.ts';
import { readOwnData } from '#records/leaving/export-data.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';
import { linkHash } from './create-export-link.ts';
import { zipData } from './zip-data.ts';
import { describeFile } from '../answers/describe-file.ts';

export const downloadExport: Call<typeof leavingEndpoints.downloadExport> = async (
  { query, reply },
  { records, now },
) => {
  const userId = await useExportLink(records.database, linkHash(query.link), now());
  if (userId === undefined)
    return refuse('invalid_token', 'This link was used or has expired. Ask for a new one under Account.');
  const file = await zipData(await readOwnData(records.database, userId), now());
  describeFile(reply, 'my-data.zip');
  return file;
};
