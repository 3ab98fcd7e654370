import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followStream } from './follow-stream.ts';

/** Hears the stream of the person who is signed in. */
export function useLiveStream(): void {
  const cache = useQueryClient();
  useEffect(() => followStream(cache), [cache]);
}
