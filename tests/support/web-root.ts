import path from 'node:path';

/** The built web app that the journeys show; WEB_ROOT names one that was built elsewhere. */
export const WEB_ROOT = process.env.WEB_ROOT ?? path.resolve(import.meta.dirname, '../../src/web/dist');
