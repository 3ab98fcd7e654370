import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Eligibility } from '#contract/suitability.ts';
import { call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { Checkbox } from '../kit/control/checkbox.tsx';
import { Field } from '../kit/control/field.tsx';
import { Select } from '../kit/control/select.tsx';
import { showDate } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';

const KEY = ['eligibility'] as const;

/** Whether the person may invest and pays a performance fee, with the reasons; where they say that they are a qualified client. */
export function EligibilityPanel() {
  const eligibility = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call('getEligibility', { signal }),
  });
  return (
    <section aria-labelledby="eligibility" className="grid gap-4">
      <SectionTitle id="eligibility">Eligibility</SectionTitle>
      {eligibility.isPending && <Skeleton className="h-24" />}
      {eligibility.isError && (
        <ErrorState title="Your eligibility could not be loaded" onRetry={() => void eligibility.refetch()} />
      )}
      {eligibility.isSuccess && <Decisions eligibility={eligibility.data} />}
    </section>
  );
}

function Decisions({ eligibility }: { eligibility: Eligibility }) {
  const { may_invest, reasons, identity, performance_fee: fee } = eligibility;
  return (
    <>
      <dl>
        <StatRow label="Investing" {...(may_invest ? {} : { note: reasons.join(' ') })}>
          {may_invest ? 'Open to you' : 'Not yet'}
        </StatRow>
        <StatRow label="Identity" note={identity.text}>
          {IDENTITY[identity.status]}
        </StatRow>
        <StatRow label="Performance fee" note={fee.text}>
          {fee.is_charged ? 'Charged' : 'Not charged'}
        </StatRow>
      </dl>
      {fee.needs_attestation && (fee.attested_basis === null ? <Attest fee={fee} /> : <Attested fee={fee} />)}
    </>
  );
}

type Fee = Eligibility['performance_fee'];

function Attest({ fee }: { fee: Fee }) {
  const [basis, setBasis] = useState(fee.attestations[0]!.basis);
  const [agrees, setAgrees] = useState(false);
  const save = useSaved((body: { basis: typeof basis }) =>
    call('attestQualifiedClient', { body: { ...body, agrees: true } }),
  );
  const text = fee.attestations.find((one) => one.basis === basis)?.text ?? '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (agrees) save.mutate({ basis });
  };
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <p className="text-sm text-ink-soft">
        If you are a qualified client, you may state it here. The performance fee is then charged for periods
        that end afterwards, and never for profit made before.
      </p>
      <Field label="I rely on">
        {(wiring) => (
          <Select
            {...wiring}
            options={fee.attestations.map((one) => ({ value: one.basis, label: BASES[one.basis] }))}
            value={basis}
            onChange={(event) => {
              setBasis(event.target.value as typeof basis);
              setAgrees(false);
            }}
          />
        )}
      </Field>
      <Checkbox label={text} checked={agrees} onChange={(event) => setAgrees(event.target.checked)} />
      {save.isError && (
        <Notice tone="failure">
          {sentenceOf(save.error, 'Your statement could not be saved. Please try again.')}
        </Notice>
      )}
      <div>
        <Button
          type="submit"
          variant="secondary"
          disabled={!agrees}
          busy={save.isPending}
          busyLabel="Saving..."
        >
          State this
        </Button>
      </div>
    </form>
  );
}

function Attested({ fee }: { fee: Fee }) {
  const withdraw = useSaved(() => call('withdrawAttestation'));
  return (
    <div className="grid gap-3">
      <p className="text-sm text-ink-soft">
        {fee.attestations.find(({ basis }) => basis === fee.attested_basis)?.text} You stated this
        {fee.attested_at === null ? '' : ` on ${showDate(fee.attested_at)}`}.
      </p>
      {withdraw.isError && (
        <Notice tone="failure">
          {sentenceOf(withdraw.error, 'Your statement could not be withdrawn. Please try again.')}
        </Notice>
      )}
      <div>
        <Button
          variant="secondary"
          size="small"
          busy={withdraw.isPending}
          busyLabel="Withdrawing..."
          onClick={() => withdraw.mutate(undefined)}
        >
          This is no longer so
        </Button>
      </div>
    </div>
  );
}

function useSaved<Input, Answer>(save: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: save,
    // Whether a fee is charged is shown on many pages.
    onSuccess: () => client.invalidateQueries(),
  });
}

const IDENTITY: Readonly<Record<Eligibility['identity']['status'], string>> = {
  not_checked: 'Not checked',
  passed: 'Checked',
  review: 'Under review',
  failed: 'Not passed',
};

const BASES: Readonly<Record<Fee['attestations'][number]['basis'], string>> = {
  assets_under_management: 'Money that you manage for me',
  net_worth: 'My net worth',
};
