import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { openFile } from '../call/open-file.ts';
import { Button } from '../kit/control/button.tsx';
import { showToast } from '../kit/overlay/toast.ts';

type Files = {
  readonly downloadFeeBills: undefined;
  readonly downloadFeeBill: string;
  readonly downloadFeeStatement: string;
  readonly downloadFinalStatement: string;
};

/** Saves all bills, or one of them, as a file. */
export function DownloadButton<Name extends keyof Files>({
  name,
  id,
  children,
}: {
  name: Name;
  id: Files[Name];
  children: string;
}) {
  const download = useMutation({
    mutationFn: () => openFile(name, id === undefined ? {} : { params: { id } }),
    onError: () =>
      showToast({
        title: 'The file could not be loaded',
        message: 'Your bills have not changed. Please try again.',
        type: 'error',
      }),
  });
  return (
    <Button
      variant="secondary"
      icon={<Download className="size-4" aria-hidden="true" />}
      busy={download.isPending}
      busyLabel="Loading..."
      onClick={() => download.mutate()}
    >
      {children}
    </Button>
  );
}
