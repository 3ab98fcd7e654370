import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from '../call/call.ts';
import { type EarlyAnswers, keepEarlyAnswers } from '../call/early-answer.ts';
import { clearTokens } from '../call/tokens.ts';
import { askEarly } from './ask-early.ts';

const ID = '190b007e-e371-8a2b-a599-57366e2607cc';
const ONE = `/deployed-strategies/${ID}`;
let storage: Map<string, string>;
let requests: { path: string; token: string | null }[];
let answer: (path: string) => Response;

beforeEach(() => {
  storage = new Map([
    ['token', tokenFor(Date.now() + 600_000)],
    ['refreshToken', 'refresh-1'],
  ]);
  requests = [];
  answer = (path) => Response.json({ path });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? null;
    requests.push({ path, token });
    await Promise.resolve();
    return answer(path);
  });
  vi.spyOn(performance, 'now').mockReturnValue(1_000);
});

afterEach(() => {
  clearTokens();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const tokenFor = (until: number) => `h.${btoa(JSON.stringify({ exp: until / 1000 }))}.s`;
const visit = (addresses: readonly string[], page: Partial<Parameters<typeof askEarly>[0]> = {}) => {
  const reads = addresses.map((address) => ({ address, key: ['kept', address, '{id}'] }));
  askEarly({ reads, pathname: ONE, search: '', isSignedIn: true, ...page });
};
const sent = () => requests.map(({ path }) => path);

test('what was asked early is handed out, and asked once', async () => {
  visit(['/api/auth/me/', '/api/deployments/{id}/']);
  expect(await call('getMe')).toEqual({ path: '/api/auth/me/' });
  expect(await call('getDeployment', { params: { id: ID } })).toEqual({ path: `/api/deployments/${ID}/` });
  expect(requests).toEqual([
    { path: '/api/auth/me/', token: storage.get('token') },
    { path: `/api/deployments/${ID}/`, token: storage.get('token') },
  ]);
  await call('getMe');
  expect(sent()).toHaveLength(3);
});

test('a token that has run out is renewed first, once for all of them', async () => {
  storage.set('token', tokenFor(Date.now()));
  answer = (path) =>
    path.includes('refresh')
      ? Response.json({ access: 'new', refresh: 'refresh-2' })
      : Response.json({ path });
  visit(['/api/auth/me/', '/api/deployments/']);
  await Promise.all([call('getMe'), call('listDeployments')]);
  expect(requests).toEqual([
    { path: '/api/auth/token/refresh/', token: null },
    { path: '/api/auth/me/', token: 'new' },
    { path: '/api/deployments/', token: 'new' },
  ]);
  expect(storage.get('refreshToken')).toBe('refresh-2');
});

test('a visitor reads nothing personal, and a strategy all the same', async () => {
  storage.clear();
  const pathname = `/strategy/${ID}`;
  visit(['/api/auth/me/', '/api/strategies/{id}/'], { pathname, isSignedIn: false });
  await call('getStrategy', { params: { id: ID } });
  expect(requests).toEqual([{ path: `/api/strategies/${ID}/`, token: null }]);
});

test('with words in the address of the page, a read with words of its own waits for the app', async () => {
  visit(['/api/deployments/{id}/', '/api/deployments/{id}/performance?timeframe=ALL'], {
    search: '?tab=trades',
  });
  await call('getDeployment', { params: { id: ID } });
  expect(sent()).toEqual([`/api/deployments/${ID}/`]);
});

test('an early read that failed is asked for again', async () => {
  answer = (path) => {
    if (requests.length === 1) throw new TypeError('failed to fetch');
    return Response.json({ path });
  };
  visit(['/api/auth/me/']);
  expect(await call('getMe')).toEqual({ path: '/api/auth/me/' });
  expect(sent()).toHaveLength(2);
});

test('nobody is shown what was read for the one who signed out, or what is old', async () => {
  visit(['/api/deployments/']);
  clearTokens();
  await call('listDeployments');
  expect(sent()).toHaveLength(2);

  visit(['/api/deployments/'], { isSignedIn: false });
  vi.mocked(performance.now).mockReturnValue(60_000);
  await call('listDeployments');
  expect(sent()).toHaveLength(3);
});

test('what has been answered is in the cache before the page is drawn; the rest is asked for by the page', async () => {
  const late = Promise.withResolvers<Response>();
  answer = (path) => (path.includes('fees') ? new Response('', { status: 500 }) : Response.json({ path }));
  visit(['/api/deployments/', '/api/fees/bills/']);
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  vi.stubGlobal('fetch', () => late.promise);
  const cache = new QueryClient();
  const { earlyAnswers } = globalThis as unknown as { earlyAnswers: EarlyAnswers };
  earlyAnswers.set('/api/portfolio/', { key: ['late'], answer: late.promise });
  await keepEarlyAnswers(cache, new Promise((resolve) => setTimeout(resolve, 20)));
  expect(cache.getQueryData(['kept', '/api/deployments/', ID])).toEqual({ path: '/api/deployments/' });
  expect(cache.getQueryCache().getAll()).toHaveLength(1);
  expect([...earlyAnswers.keys()]).toEqual(['/api/fees/bills/', '/api/portfolio/']);
  late.resolve(Response.json({ path: 'late' }));
  expect(await call('getPortfolio')).toEqual({ path: 'late' });
  await expect(call('listFeeBills')).rejects.toThrow('Something went wrong');
});

test('what was read for the one who signs out as the page is drawn is not kept', async () => {
  visit(['/api/deployments/']);
  const cache = new QueryClient();
  await keepEarlyAnswers(
    cache,
    new Promise((resolve) => setTimeout(resolve, 20)).then(() => clearTokens()),
  );
  expect(cache.getQueryCache().getAll()).toEqual([]);
});

test('a change is never taken for a read of the same address', async () => {
  visit(['/api/auth/me/']);
  await call('changeMe', { body: { first_name: 'Ada' } });
  expect(sent()).toHaveLength(2);
});
