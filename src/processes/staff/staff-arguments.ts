import { parseArgs } from 'node:util';
import type { StaffRole } from '#records/users.ts';

export type StaffCommand =
  | { readonly name: 'create'; readonly email: string; readonly role: StaffRole; readonly firstName: string }
  | { readonly name: 'requests' }
  | { readonly name: 'approve'; readonly request: string; readonly by: string }
  | { readonly name: 'decline'; readonly request: string; readonly by: string; readonly because: string };

export const STAFF_USAGE = `npm run staff -- create --email ADDRESS --role support|provider [--name NAME]
    makes the account, or gives the role to an existing one. The password is STAFF_PASSWORD, else one is made and shown.
npm run staff -- requests
    lists the open requests to liquidate
npm run staff -- approve REQUEST --by ADDRESS
npm run staff -- decline REQUEST --by ADDRESS --because "the market is closed"
    decides one, in the name of a support account`;

/** A text is what is wrong with the arguments. */
export function parseStaffArguments(words: readonly string[]): StaffCommand | string {
  const parsed = read(words);
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  const [name, request] = positionals;
  if (name === 'requests') return { name };
  if (name === 'create') {
    const email = values.email?.trim().toLowerCase() ?? '';
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return '--email must be an e-mail address';
    const { role } = values;
    if (role !== 'support' && role !== 'provider') return '--role must be support or provider';
    return { name, email, role, firstName: values.name?.trim() || 'Staff' };
  }
  if (name !== 'approve' && name !== 'decline') {
    return name === undefined ? 'Say what to do.' : `There is no command "${name}".`;
  }
  if (request === undefined) return `Name the request to ${name}; \`requests\` lists them.`;
  const by = values.by?.trim().toLowerCase() ?? '';
  if (by === '') return '--by must be the e-mail of the support account that decides';
  if (name === 'approve') return { name, request, by };
  const because = values.because?.trim().replace(/\.$/, '') ?? '';
  if (because === '') return '--because must say why, as the end of a sentence: the owner reads it';
  return { name, request, by, because };
}

function read(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        email: { type: 'string' },
        role: { type: 'string' },
        name: { type: 'string' },
        by: { type: 'string' },
        because: { type: 'string' },
      },
    });
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}
