import { useQuery } from '@tanstack/react-query';
import { call } from '../call/call.ts';

const KEY = ['fee-bills'] as const;

type FeeBillsAsked = { readonly deployment?: string; readonly limit?: number };

/** Own bills, newest first. */
export function useFeeBills(asked: FeeBillsAsked) {
  return useQuery({
    queryKey: [...KEY, asked],
    queryFn: ({ signal }) => call('listFeeBills', { query: asked, signal }),
  });
}

export function useFeeBill(id: string) {
  return useQuery({
    queryKey: [...KEY, id],
    queryFn: ({ signal }) => call('getFeeBill', { params: { id }, signal }),
  });
}
