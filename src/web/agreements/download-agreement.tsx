import { useMutation } from '@tanstack/react-query';
import { agreementTitle } from '#rules/agreements/agreement-title.ts';
import { call } from '../call/call.ts';
import { useInstallation } from '../call/installation.ts';
import { saveFile } from '../call/save-file.ts';
import { Button } from '../kit/control/button.tsx';
import { showToast } from '../kit/overlay/toast.ts';

/** Saves the newest agreement that the person has signed, as the sealed PDF. */
export function DownloadAgreement() {
  const title = agreementTitle(useInstallation());
  const download = useMutation({
    mutationFn: () => saveNewestAgreement(title),
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

async function saveNewestAgreement(title: string): Promise<void> {
  const [newest] = await call('listAgreements');
  if (newest === undefined) throw new Error('no signed agreement');
  // The call before has refreshed the token if that was needed.
  await saveFile('downloadAgreement', `${title.toLowerCase().replaceAll(' ', '-')}-${newest.version}.pdf`, {
    params: { id: newest.id },
  });
}
