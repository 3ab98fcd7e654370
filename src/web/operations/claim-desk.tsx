import { type FormEvent, useState } from 'react';
import type { CatalogueStrategy } from '#contract/operations/catalogue.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { ClaimFacts } from '../strategies/claim/claim-section.tsx';
import { useImportClaim, useWithdrawClaim } from './catalogue-queries.ts';

/** The track record that its provider claims: import, replace, withdraw. */
export function ClaimDesk({ strategy }: { strategy: CatalogueStrategy }) {
  const { id, claim, status } = strategy;
  if (claim === null && status !== 'published') return null;
  return (
    <section aria-labelledby="claim">
      <SectionTitle
        id="claim"
        note="Shown to everybody as claimed and not checked. It counts for no figure, score or grade."
      >
        Claimed track record
      </SectionTitle>
      {claim !== null && (
        <div className="mt-6 grid gap-6">
          <ClaimFacts claim={claim} />
          <Withdraw id={id} />
        </div>
      )}
      {status === 'published' && <ImportForm id={id} replaces={claim !== null} />}
    </section>
  );
}

function ImportForm({ id, replaces }: { id: string; replaces: boolean }) {
  const run = useImportClaim(id);
  const [source, setSource] = useState('');
  const [file, setFile] = useState<{ readonly name: string; readonly text: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file === null) setProblem('Choose a file.');
    else run.mutate({ source, file: file.text });
  };
  const choose = async (chosen: File | undefined) => {
    run.reset();
    setProblem(null);
    if (chosen === undefined) return;
    if (chosen.size > BYTES_MAX) {
      setProblem('The file is too large: it may have 200 kB, which is about 10,000 days.');
      return;
    }
    setFile({ name: chosen.name, text: await chosen.text() });
  };
  return (
    <form onSubmit={submit} className="mt-6 grid max-w-md gap-4">
      <Field
        label={replaces ? 'File to replace it' : 'File of daily figures'}
        hint={
          file === null
            ? 'CSV with a first line date,value or date,return. Days as 2026-01-31, returns in percent.'
            : `${file.name} is ready to be imported.`
        }
        error={problem}
      >
        {(wiring) => (
          <input
            {...wiring}
            type="file"
            accept=".csv,text/csv"
            className="text-sm text-ink-soft file:mr-3 file:rounded-control file:border file:border-control-line file:bg-surface file:px-3 file:py-2 file:text-sm file:text-ink"
            onChange={({ target }) => void choose(target.files?.[0])}
          />
        )}
      </Field>
      <Field
        label="Where the figures come from"
        hint="Such as the statements of which account, and who kept them."
      >
        {(wiring) => (
          <TextInput
            {...wiring}
            value={source}
            maxLength={200}
            required
            onChange={({ target }) => setSource(target.value)}
          />
        )}
      </Field>
      {run.isError && (
        <Notice tone="failure" title="Nothing was imported">
          {sentenceOf(run.error, 'Please try again.')}
        </Notice>
      )}
      {run.isSuccess && <Notice tone="info">It is shown as claimed from now on.</Notice>}
      <div>
        <Button type="submit" variant="secondary" busy={run.isPending} busyLabel="Importing...">
          {replaces ? 'Replace the Claim' : 'Import as a Claim'}
        </Button>
      </div>
    </form>
  );
}

/** Below what the server takes in one request. */
const BYTES_MAX = 200_000;

function Withdraw({ id }: { id: string }) {
  const run = useWithdrawClaim(id);
  return (
    <div className="grid justify-items-start gap-3">
      <Button variant="quiet" busy={run.isPending} busyLabel="Withdrawing..." onClick={() => run.mutate()}>
        Withdraw the Claim
      </Button>
      {run.isError && (
        <Notice tone="failure">{sentenceOf(run.error, 'It was not withdrawn. Please try again.')}</Notice>
      )}
    </div>
  );
}
