import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followStream } from './follow-stream.ts';

/** Hears the stream while somebody is signed in. */
export function useLiveStream(userId: string | undefined): void {
  const cache = useQueryClient();
  useEffect(() => (userId === undefined ? undefined : followStream(cache)), [cache, userId]);
}
