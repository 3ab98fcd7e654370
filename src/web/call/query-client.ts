import { QueryClient } from '@tanstack/react-query';
import { CallError } from './call-error.ts';

const MOST_RETRIES = 2;

/** One cache for every read of the app. Only what may pass by itself is tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) =>
        failures < MOST_RETRIES && error instanceof CallError && (error.status === 0 || error.status >= 502),
    },
  },
});
