import { QueryClient } from '@tanstack/react-query';
import { CallError } from './call-error.ts';

const MOST_RETRIES = 2;

/**
 * One cache for every read of the app. Only what may pass by itself is tried again. The network mode is 'always': a
 * browser that says it is offline would otherwise leave every read without a word, and keep back what was pressed, to
 * send it at some later time unseen.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 15_000,
      retry: (failures, error) =>
        failures < MOST_RETRIES &&
        error instanceof CallError &&
        (error.code === 'unreachable' || error.status >= 502),
    },
  },
});
