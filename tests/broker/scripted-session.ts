// A session of the vendor's over a connection that answers by a script: one path, its answers in turn.
import type { Exchange } from '#adapters/broker/exchange.ts';
import { createBrokerage } from '#adapters/broker/interactive-brokers/inner-session/brokerage.ts';
import type { Ask, Connection } from '#adapters/broker/interactive-brokers/connection.ts';
import { createContractBook } from '#adapters/broker/interactive-brokers/market-data/contracts.ts';
import { createSession } from '#adapters/broker/interactive-brokers/session.ts';
import type { Symbol } from '#units/identifiers.ts';
import { INSTRUMENTS } from './fixed-prices.ts';

const ACCOUNT = 'U1';
export const STANDS = { authenticated: true, established: true, competing: false, connected: true };

export type Answer = { readonly status?: number; readonly body?: unknown };
/** The answers of one path in order; the last one repeats. */
type Script = { readonly [path: string]: readonly Answer[] };

const USUAL: Script = {
  '/iserver/auth/ssodh/init': [{ body: STANDS }],
  '/iserver/auth/status': [{ body: STANDS }],
  '/iserver/accounts': [{ body: { accounts: [ACCOUNT], selectedAccount: ACCOUNT } }],
  '/tickle': [{ body: { session: 'cookie', iserver: { authStatus: STANDS } } }],
  '/trsrv/stocks': [
    { body: { SPY: [{ assetClass: 'STK', contracts: [{ conid: 756_733, exchange: 'ARCA', isUS: true }] }] } },
  ],
  '/iserver/account/orders': [{ body: { orders: [], snapshot: true } }],
  '/iserver/account/trades': [{ body: [] }],
  '/logout': [{ body: { status: true } }],
};

export function openedSession(script: Script, streamUrl: string | null = null) {
  const asked: Ask[] = [];
  const counts = new Map<string, number>();
  const answer = (ask: Ask): Promise<Exchange> => {
    asked.push(ask);
    const answers = script[ask.path] ?? USUAL[ask.path] ?? [{ status: 404 }];
    const turn = counts.get(ask.path) ?? 0;
    counts.set(ask.path, turn + 1);
    const { status = 200, body } = answers[Math.min(turn, answers.length - 1)] ?? {};
    return Promise.resolve({ kind: 'answered', status, body, text: JSON.stringify(body) ?? '' });
  };
  const permit = { header: () => '', streamQuery: 'oauth_token=t', life: { renewAt: 0, endsAt: 0 } };
  const connection: Connection = {
    send: answer,
    query: answer,
    signIn: () => Promise.resolve({ outcome: 'ok', value: permit }),
    answeredAt: null,
  };
  const sleep = () => Promise.resolve();
  const findInstrument = (symbol: Symbol) => INSTRUMENTS.find((one) => one.symbol === symbol) ?? null;
  const brokerage = createBrokerage(connection, { compete: false, sleep });
  const contracts = createContractBook(findInstrument);
  const session = createSession({ connection, brokerage, contracts, findInstrument, streamUrl, sleep });
  return { session, brokerage, asked, paths: () => asked.map(({ path }) => path) };
}
