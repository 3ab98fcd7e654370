import { openFile } from '../call/open-file.ts';
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
  children,
}: {
  name: Name;
  id: Files[Name];
  children: string;
}) {
  const save = () => openFile(name, id === undefined ? {} : { params: { id } });
  return <SaveButton save={save}>{children}</SaveButton>;
}
