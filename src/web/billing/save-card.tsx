import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { showToast } from '../kit/overlay/toast.ts';

/** Leads to a page of the payment service and back to this one. Saving a card pays nothing. */
export function SaveCard({ label }: { label: string }) {
  const { pathname, search } = useLocation();
  const open = useMutation({
    mutationFn: () => call('openPaymentPage', { body: { return_to: pathname + search } }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) =>
      showToast({
        title: 'The payment page could not be opened',
        message: sentenceOf(error, 'Please try again shortly.'),
        type: 'error',
      }),
  });
  return (
    <Button
      variant="secondary"
      size="small"
      busy={open.isPending || open.isSuccess}
      busyLabel="Opening..."
      onClick={() => open.mutate()}
    >
      {label}
    </Button>
  );
}
