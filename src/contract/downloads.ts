import { z } from 'zod';
import { endpoint } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

export const downloadsEndpoints = {
  createDownloadLink: endpoint(ROUTES.createDownloadLink, {
    room: 'downloads',
    security: 'bearer',
    summary: 'A link that opens one private file once, within a minute',
    description:
      'For browsers, whose links carry no access token. address is the path of a call that answers a private file, with its query. The link is bound to the caller, the session and the file; whoever has it can open that file once. Where the file asks for a confirmation, so does its link.',
    body: z.strictObject({ address: z.string().min(1).max(300) }).meta({ id: 'DownloadLinkRequest' }),
    status: 201,
    answer: z.object({ url: z.string(), expires_at: z.string() }).meta({ id: 'DownloadLink' }),
    refusals: ['confirmation_required'],
  }),
} as const;
