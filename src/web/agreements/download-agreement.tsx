import { useMutation } from '@tanstack/react-query';
import { agreementTitle } from '#rules/agreements/agreement-title.ts';
import { addressOf, call } from '../call/call.ts';
import { useInstallation } from '../call/installation.ts';
import { readAccessToken } from '../call/tokens.ts';
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
  const response = await fetch(addressOf('downloadAgreement', { params: { id: newest.id } }), {
    headers: { authorization: `Bearer ${readAccessToken() ?? ''}` },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  if (!response.ok) throw new Error(`the document answered ${response.status}`);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `${title.toLowerCase().replaceAll(' ', '-')}-${newest.version}.pdf`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_MS);
}

const ANSWER_WITHIN_MS = 60_000;
/** Long enough for the browser to have taken the file. */
const RELEASE_MS = 30_000;
