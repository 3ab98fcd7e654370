import type { leavingEndpoints } from '#contract/leaving.ts';
import { readOwnData } from '#records/leaving/export-data.ts';
import { describeFile } from '../answers/describe-file.ts';
import type { Call } from '../http/call.ts';
import { zipData } from './zip-data.ts';

export const downloadExport: Call<typeof leavingEndpoints.downloadExport> = async (
  { caller, reply },
  { records, documents, now },
) => {
  const file = await zipData(await readOwnData(records.database, caller.userId, documents), now());
  describeFile(reply, 'my-data.zip');
  return file;
};
