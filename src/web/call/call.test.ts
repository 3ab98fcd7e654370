import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { call, watchSessionEnd } from './call.ts';
import { CallError } from './call-error.ts';

const user = { id: 'u1', email: 'a@b.example' };
let storage: Map<string, string>;
let requests: { path: string; token: string | null; body: string | null }[];
let answer: (path: string, token: string | null) => Response | Promise<Response>;

beforeEach(() => {
  storage = new Map([
    ['token', 'old'],
    ['refreshToken', 'refresh-1'],
  ]);
  requests = [];
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? null;
    requests.push({ path, token, body: typeof init.body === 'string' ? init.body : null });
    await Promise.resolve();
    return answer(path, token);
  });
});

afterEach(() => vi.unstubAllGlobals());

const json = (body: unknown, status = 200) => Response.json(body, { status });
const refusal = (status: number, code: string, more = {}) =>
  json({ code, message: `said ${code}`, ...more }, status);
const isRefresh = (path: string) => path === '/api/auth/token/refresh/';

describe('a call', () => {
  it('fills the path, writes the query and carries the token', async () => {
    answer = () => json([]);
    await call('getStrategyPerformance', { params: { id: 'a/b' }, query: { timeframe: 'week' } });
    expect(requests).toEqual([
      { path: '/api/strategies/a%2Fb/performance/?timeframe=week', token: 'old', body: null },
    ]);
  });

  it('throws what the service refused, with its field', async () => {
    answer = () => refusal(422, 'below_minimum', { field: 'investment_amount' });
    const error = await call('getMe').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({ status: 422, code: 'below_minimum', field: 'investment_amount' });
  });

  it('says that the service cannot be reached when no answer comes', async () => {
    answer = () => {
      throw new TypeError('failed to fetch');
    };
    await expect(call('getMe')).rejects.toMatchObject({ status: 0, code: 'unreachable' });
    expect(storage.get('token')).toBe('old');
  });
});

describe('an access token that has run out', () => {
  const service = (path: string, token: string | null) => {
    if (isRefresh(path)) return json({ access: 'new', refresh: 'refresh-2', refresh_expires_at: '' });
    return token === 'new' ? json(user) : refusal(401, 'unauthenticated');
  };

  it('is refreshed once and the call repeated', async () => {
    answer = service;
    await expect(call('getMe')).resolves.toEqual(user);
    expect(requests.map((request) => request.token)).toEqual(['old', null, 'new']);
    expect([...storage]).toEqual([
      ['token', 'new'],
      ['refreshToken', 'refresh-2'],
    ]);
  });

  it('is refreshed once for calls that fail together', async () => {
    answer = service;
    await Promise.all([call('getMe'), call('getMe'), call('getMe')]);
    expect(requests.filter((request) => isRefresh(request.path))).toHaveLength(1);
  });

  it('ends the session when the refresh is refused', async () => {
    answer = () => refusal(401, 'session_ended');
    const ended = vi.fn();
    const stop = watchSessionEnd(ended);
    await expect(call('getMe')).rejects.toMatchObject({ message: 'Logged out' });
    expect(ended).toHaveBeenCalledOnce();
    expect(storage.size).toBe(0);
    stop();
  });

  it('keeps the session when the refresh could not be asked for', async () => {
    answer = (path) => {
      if (isRefresh(path)) throw new TypeError('failed to fetch');
      return refusal(401, 'unauthenticated');
    };
    await expect(call('getMe')).rejects.toMatchObject({ code: 'unreachable' });
    expect(storage.get('refreshToken')).toBe('refresh-1');
  });
});

describe('a service that takes a call and never answers', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());
  const silence = () => new Promise<Response>(() => undefined);
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('is waited for twenty seconds with a read, a minute with an act', async () => {
    answer = silence;
    const read = vi.fn();
    const act = vi.fn();
    call('getMe').catch(read);
    call('logout').catch(act);
    await later(19_999);
    expect(read).not.toHaveBeenCalled();
    await later(1);
    expect(read.mock.lastCall).toMatchObject([
      { status: 0, code: 'late', message: expect.stringContaining('in time') },
    ]);
    await later(39_999);
    expect(act).not.toHaveBeenCalled();
    await later(1);
    expect(act.mock.lastCall).toMatchObject([
      { status: 0, code: 'late', message: expect.stringContaining('check before you try again') },
    ]);
  });

  it('ends the wait also when only the body does not come', async () => {
    answer = () => new Response(new ReadableStream());
    const late = vi.fn();
    call('getMe').catch(late);
    await later(20_000);
    expect(late.mock.lastCall).toMatchObject([{ code: 'late' }]);
  });

  it('is let go at once when the page calls it off', async () => {
    answer = silence;
    const calledOff = new AbortController();
    const given = call('getMe', { signal: calledOff.signal });
    calledOff.abort();
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not block refreshing: a caller that waits behind a lost refresh gets the new token', async () => {
    let refreshes = 0;
    answer = (path, token) => {
      if (isRefresh(path))
        return ++refreshes === 1 ? silence() : json({ access: 'new', refresh: 'refresh-2' });
      return token === 'new' ? json(user) : refusal(401, 'unauthenticated');
    };
    const both = Promise.all([call('getMe'), call('getMe')]);
    await vi.waitFor(async () => {
      expect(refreshes).toBe(1);
    });
    await later(7_000);
    await expect(both).resolves.toEqual([user, user]);
    expect(refreshes).toBe(2);
    expect(storage.get('refreshToken')).toBe('refresh-2');
  });
});

it('a refused sign-in is not answered with a refresh', async () => {
  answer = () => refusal(401, 'authentication_failed');
  await expect(call('login', { body: { email: 'a@b.example', password: 'x' } })).rejects.toMatchObject({
    code: 'authentication_failed',
  });
  expect(requests).toHaveLength(1);
});
