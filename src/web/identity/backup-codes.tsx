import { Button } from '../kit/control/button.tsx';
import { SaveButton } from '../kit/control/save-button.tsx';
import { offerFile } from '../kit/page/offer-file.ts';
import { Notice } from '../kit/state/notice.tsx';

/** Shown once, to be kept somewhere else than the phone. */
export function BackupCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  return (
    <div className="grid gap-5 rounded-surface border p-6">
      <Notice tone="evidence" title="Keep these backup codes">
        Each signs you in once when your phone is not at hand. Put them into a password manager or download
        them and keep the file somewhere else: they are not shown again.
      </Notice>
      <ul
        aria-label="Backup codes"
        className="grid grid-cols-2 gap-x-6 gap-y-2 font-mono text-sm select-all sm:max-w-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onKept}>I have kept them</Button>
        <SaveButton
          label="Download the backup codes as text"
          save={async () =>
            offerFile(
              new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }),
              'bellwether-backup-codes.txt',
            )
          }
        >
          Download
        </SaveButton>
      </div>
    </div>
  );
}
