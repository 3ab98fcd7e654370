import type { downloadsEndpoints } from '#contract/downloads.ts';
import { signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';

export const downloadsCases: CasesOf<typeof downloadsEndpoints> = {
  createDownloadLink: {
    success: async (app) => ({
      token: (await signedInPerson(app)).token,
      body: { address: '/api/account/export/file' },
    }),
    confirmation_required: async (app) => {
      const { token, id } = await signedInPerson(app);
      await app.records.pool.query(
        `update sessions set confirmed_at = confirmed_at - interval '1 hour' where user_id = $1`,
        [id],
      );
      return { token, body: { address: '/api/account/export/file' } };
    },
  },
};
