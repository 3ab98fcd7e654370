import { parseArgs } from 'node:util';
import { STAFF_ROLES, type StaffRole } from '#rules/identity/staff-role.ts';
import { FEE_PERIODS, type FeePeriodLength } from '#rules/fees/fee-period.ts';
import { KILL_SWITCH_SCOPES, type KillSwitchScope } from '#rules/operations/kill-switch.ts';

export type StaffCommand =
  | { readonly name: 'kill-switches' }
  | {
      readonly name: 'kill-switch on';
      readonly scope: KillSwitchScope;
      /** Null for the global one. */
      readonly target: string | null;
      readonly cancelsWorking: boolean;
      readonly by: string;
      readonly because: string;
    }
  | { readonly name: 'kill-switch off'; readonly id: string; readonly by: string; readonly because: string }
  | {
      readonly name: 'resolve-order';
      readonly clientOrderId: string;
      /** Null: it never reached the broker. */
      readonly brokerOrderId: string | null;
      readonly by: string;
      readonly because: string;
    }
  | { readonly name: 'create'; readonly email: string; readonly role: StaffRole; readonly firstName: string }
  | {
      readonly name: 'invite';
      readonly email: string;
      readonly role: StaffRole;
      /** Null: there is no admin yet. */
      readonly by: string | null;
    }
  | { readonly name: 'revoke'; readonly email: string; readonly by: string }
  | { readonly name: 'requests' }
  | { readonly name: 'bill'; readonly by: string }
  | { readonly name: 'unpaid' }
  | { readonly name: 'close-unpaid'; readonly client: string; readonly by: string; readonly because: string }
  | {
      readonly name: 'link-account';
      readonly client: string;
      /** Of the account, as the broker shows it. */
      readonly number: string;
      readonly by: string;
    }
  | {
      readonly name: 'fee-period';
      readonly client: string;
      readonly length: FeePeriodLength;
      readonly by: string;
    }
  | { readonly name: 'liquidate'; readonly request: string; readonly by: string; readonly because: string };

export const STAFF_USAGE = `npm run staff -- invite --email ADDRESS [--role admin|support|provider|auditor] [--by ADMIN]
    mails a link that works once within a day, to choose a password and set up a second factor. The first admin needs no --by
npm run staff -- create --email ADDRESS --role admin|support|provider|auditor [--name NAME]
    in the demo world: makes an account at once. The password is STAFF_PASSWORD; otherwise one is generated
npm run staff -- revoke ADDRESS --by ADDRESS
    takes the role away and ends every session, in the name of an admin
npm run staff -- requests
    lists the open requests to liquidate
npm run staff -- liquidate REQUEST --by ADDRESS --because "the client confirmed it by phone"
    proposes to approve a request; a second person of support decides at the operations desk, and declines it there
npm run staff -- kill-switch on --scope global|broker|strategy|client [--target NAME] [--cancel] --by ADDRESS
    --because "prices look wrong"
    halts their trading, through restarts, until lifted; --cancel also proposes to cancel open orders. NAME is a broker's or a strategy's slug, or a client's e-mail
npm run staff -- kill-switch off ID --by ADDRESS --because "prices are right again"
    proposes to lift it; a second person of support decides at the operations desk
npm run staff -- kill-switch list
npm run staff -- resolve-order CLIENT-ORDER-ID --never-arrived|--is BROKER-ORDER-ID --by ADDRESS --because "the broker says so"
    proposes what became of an unconfirmed order; a second person of support decides at the operations desk
npm run staff -- bill --by ADDRESS
    bills the performance fee of every period that has ended, as the trader does automatically
npm run staff -- unpaid
    lists overdue fee bills that their owners must pay, oldest first
npm run staff -- close-unpaid CLIENT --by ADDRESS --because "two reminders stayed unanswered"
    proposes to close the account of a client (by e-mail) whose fee is unpaid a month after its due date; once a second person of
    support approves at the operations desk, every deployment is paused and nothing is sold. The client reads why
npm run staff -- fee-period CLIENT weekly|monthly --by ADDRESS
    sets how often the client (by e-mail) is billed, from the end of the current period
npm run staff -- link-account CLIENT ACCOUNT --by ADDRESS
    with IBKR_TENANCY=adviser: links an account under the adviser to the client with this e-mail`;

/** A text is the error in the arguments. */
export function parseStaffArguments(words: readonly string[]): StaffCommand | string {
  const parsed = read(words);
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  const [name, request, length] = positionals;
  if (name === 'requests' || name === 'unpaid') return { name };
  if (name === 'kill-switch') return parseKillSwitch(values, positionals.slice(1));
  if (name === 'resolve-order') return parseResolution(values, request);
  if (name === 'bill') return byOf(values) === '' ? BY_MISSING : { name, by: byOf(values) };
  if (name === 'link-account') return parseLink(values, request, length);
  if (name === 'fee-period') return parseFeePeriod(values, request, length);
  if (name === 'revoke' || name === 'close-unpaid') {
    if (request === undefined) return 'Name the account by e-mail.';
    const by = byOf(values);
    const email = request.trim().toLowerCase();
    if (by === '') return BY_MISSING;
    if (name === 'revoke') return { name, email, by };
    const because = becauseOf(values);
    return because === '' ? BECAUSE_MISSING : { name, client: email, by, because };
  }
  if (name === 'create' || name === 'invite') {
    const email = values.email?.trim().toLowerCase() ?? '';
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return '--email must be an e-mail address';
    const asked = values.role ?? (name === 'invite' ? 'admin' : '');
    const role = STAFF_ROLES.find((one) => one === asked);
    if (role === undefined) return `--role must be one of ${STAFF_ROLES.join(', ')}`;
    if (name === 'invite') return { name, email, role, by: byOf(values) || null };
    return { name, email, role, firstName: values.name?.trim() || 'Staff' };
  }
  if (name !== 'liquidate') return name === undefined ? 'Name a command.' : `There is no command "${name}".`;
  if (request === undefined) return 'Name the request; `requests` lists them.';
  const by = byOf(values);
  if (by === '') return BY_MISSING;
  const because = becauseOf(values);
  if (because === '') return BECAUSE_MISSING;
  return { name, request, by, because };
}

type Values = Exclude<ReturnType<typeof read>, string>['values'];

const BY_MISSING = '--by must be the e-mail of the support account that asks';
const BECAUSE_MISSING = '--because must say why, as the end of a sentence that others read';
const byOf = ({ by }: Values) => by?.trim().toLowerCase() ?? '';
const becauseOf = ({ because }: Values) => because?.trim().replace(/\.$/, '') ?? '';

function parseKillSwitch(values: Values, [what, id]: readonly (string | undefined)[]): StaffCommand | string {
  if (what === 'list') return { name: 'kill-switches' };
  if (what !== 'on' && what !== 'off') return 'Say kill-switch on, off or list.';
  const by = byOf(values);
  if (by === '') return BY_MISSING;
  if (what === 'off') {
    if (id === undefined) return 'Name the switch; `kill-switch list` shows them.';
    const said = becauseOf(values);
    return said === '' ? BECAUSE_MISSING : { name: 'kill-switch off', id, by, because: said };
  }
  const scope = KILL_SWITCH_SCOPES.find((one) => one === values.scope);
  if (scope === undefined) return `--scope must be one of ${KILL_SWITCH_SCOPES.join(', ')}`;
  const target = values.target?.trim() || null;
  if ((scope === 'global') !== (target === null))
    return scope === 'global'
      ? '--target has no meaning for --scope global'
      : `--target must name the ${scope}`;
  const because = becauseOf(values);
  if (because === '') return BECAUSE_MISSING;
  return { name: 'kill-switch on', scope, target, cancelsWorking: values.cancel === true, by, because };
}

function parseFeePeriod(
  values: Values,
  client: string | undefined,
  wanted: string | undefined,
): StaffCommand | string {
  if (client === undefined) return 'Name the client by e-mail.';
  const length = FEE_PERIODS.find((one) => one === wanted);
  if (length === undefined) return `Say ${FEE_PERIODS.join(' or ')} after the e-mail.`;
  const by = byOf(values);
  if (by === '') return BY_MISSING;
  return { name: 'fee-period', client: client.trim().toLowerCase(), length, by };
}

function parseLink(
  values: Values,
  client: string | undefined,
  number: string | undefined,
): StaffCommand | string {
  if (client === undefined || number === undefined) return 'Name the client by e-mail, then the account.';
  const by = byOf(values);
  if (by === '') return BY_MISSING;
  return {
    name: 'link-account',
    client: client.trim().toLowerCase(),
    number: number.trim(),
    by,
  };
}

function parseResolution(values: Values, clientOrderId: string | undefined): StaffCommand | string {
  if (clientOrderId === undefined) return 'Name the order by its client order id.';
  const brokerOrderId = values.is?.trim() || null;
  if ((brokerOrderId === null) === (values['never-arrived'] !== true))
    return 'Say either --never-arrived or --is BROKER-ORDER-ID.';
  const by = byOf(values);
  if (by === '') return BY_MISSING;
  const because = becauseOf(values);
  if (because === '') return BECAUSE_MISSING;
  return { name: 'resolve-order', clientOrderId, brokerOrderId, by, because };
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
        scope: { type: 'string' },
        target: { type: 'string' },
        cancel: { type: 'boolean' },
        'never-arrived': { type: 'boolean' },
        is: { type: 'string' },
      },
    });
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}
