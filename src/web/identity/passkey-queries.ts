import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../call/call.ts';
import { answerWithPasskey, makePasskey } from './ask-passkey.ts';
import { useReloadSecurity } from './second-factor-queries.ts';

export const PASSKEYS_KEY = ['second-factor', 'passkeys'] as const;

export function usePasskeys() {
  return useQuery({ queryKey: PASSKEYS_KEY, queryFn: ({ signal }) => call('listPasskeys', { signal }) });
}

/** Answers with the backup codes where it is the first second factor. */
export function useAddPasskey() {
  const reload = useReloadSecurity();
  return useMutation({
    mutationFn: async (name: string) => {
      const credential = await makePasskey(await call('preparePasskey'));
      return (await call('addPasskey', { body: { name, credential } })).backup_codes;
    },
    onSuccess: reload,
  });
}

export function useRenamePasskey(id: string) {
  const reload = useReloadSecurity();
  return useMutation({
    mutationFn: (name: string) => call('changePasskey', { params: { id }, body: { name } }),
    onSuccess: reload,
  });
}

export function useRemovePasskey(id: string) {
  const reload = useReloadSecurity();
  return useMutation({
    mutationFn: () => call('removePasskey', { params: { id } }),
    onSettled: reload,
  });
}

/** What a passkey answers in this session. */
export async function proveWithPasskey() {
  return answerWithPasskey(await call('challengePasskey'));
}
