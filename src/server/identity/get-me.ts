import type { identityEndpoints } from '#contract/identity.ts';
import type { Call } from '../http/call.ts';
import { showUser } from './show-user.ts';

export const getMe: Call<typeof identityEndpoints.getMe> = ({ caller }, dependencies) =>
  showUser(caller.userId, dependencies);
