import { useMutation } from '@tanstack/react-query';
import { call } from '../call/call.ts';
import { openFile } from '../call/open-file.ts';
import { Button } from '../kit/control/button.tsx';
import { showToast } from '../kit/overlay/toast.ts';

/** Saves the newest agreement that the person has signed, as the sealed PDF. */
export function DownloadAgreement() {
  const download = useMutation({
    mutationFn: saveNewestAgreement,
    onError: () =>
      showToast({
        title: 'The document could not be loaded',
        message: 'Your document is safe. Please try again.',
        type: 'error',
      }),
  });
  return (
    <Button
      variant="secondary"
      size="small"
      busy={download.isPending}
      busyLabel="Loading..."
      onClick={() => download.mutate()}
    >
      Download
    </Button>
  );
}

async function saveNewestAgreement(): Promise<void> {
  const [newest] = await call('listAgreements');
  if (newest === undefined) throw new Error('no signed agreement');
  await openFile('downloadAgreement', { params: { id: newest.id } });
}
