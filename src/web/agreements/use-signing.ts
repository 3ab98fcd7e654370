import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../call/call.ts';
import { useSession } from '../call/session.tsx';

/** Signing in an area of the page; what the signing page says of itself is asked of the service. */
export function useSigning(onSigned: () => void) {
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { reloadUser } = useSession();
  const end = (problem: string | null) => {
    setOpen(false);
    setFailure(problem);
  };
  const confirm = useMutation({
    mutationFn: async () => {
      const { status } = await call('getAgreementStatus');
      if (status) await reloadUser();
      return status;
    },
    onSuccess: (isSigned) => {
      end(isSigned ? null : 'We have not received your signature. Please sign again.');
      if (isSigned) onSigned();
    },
    onError: () => end('Failed to load agreement. Please try again.'),
  });
  return {
    isOpen,
    failure,
    isChecking: confirm.isPending,
    check: () => confirm.mutate(),
    close: () => setOpen(false),
    fail: end,
    open: () => {
      setFailure(null);
      setOpen(true);
    },
  };
}
