import { call } from '../call/call.ts';
import { saveFile } from '../call/save-file.ts';
import { SaveButton } from '../kit/control/save-button.tsx';

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
  fileName,
  children,
}: {
  name: Name;
  id: Files[Name];
  fileName: string;
  children: string;
}) {
  const save = async () => {
    // Refreshes the sign-in if that is needed.
    await call('listFeeBills', { query: { limit: 1 } });
    await saveFile(name, fileName, id === undefined ? {} : { params: { id } });
  };
  return <SaveButton save={save}>{children}</SaveButton>;
}
