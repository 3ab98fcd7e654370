import { useState } from 'react';
import { AgreementNotice } from '../../agreements/agreement-changes.tsx';
import { SubscriptionPanel } from '../../billing/subscription-panel.tsx';
import { FeePanel } from '../../fees/fee-panel.tsx';
import { useHasProvider } from '../../call/installation.ts';
import { AdvicePanel } from '../../suitability/advice-panel.tsx';
import { EligibilityPanel } from '../../suitability/eligibility-panel.tsx';
import { useUser } from '../../call/session.tsx';
import { Button } from '../../kit/control/button.tsx';
import { Field } from '../../kit/control/field.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { showDate } from '../../kit/figure/show-figure.ts';
import { StatRow } from '../../kit/figure/stat-row.tsx';
import { TextInput } from '../../kit/control/text-input.tsx';

/** Specification section 8, account screen. */
const LOCKED =
  'Your basic details are locked in with this account. Please contact support if you require the Name or Email address to be updated.';

const NEWEST_FEE_BILLS = 5;
const NEWEST_ADVICE = 10;

export function ProfileTab() {
  const user = useUser();
  const hasProvider = useHasProvider();
  const [asked, setAsked] = useState(false);
  return (
    <div className="grid max-w-xl gap-6">
      <AgreementNotice />
      {asked && <Notice>{LOCKED}</Notice>}
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
        }}
      >
        <Field label="Full Name">
          {(wiring) => (
            <TextInput {...wiring} value={`${user.first_name} ${user.last_name}`.trim()} disabled readOnly />
          )}
        </Field>
        <Field label="Email Address">
          {(wiring) => <TextInput {...wiring} type="email" value={user.email} disabled readOnly />}
        </Field>
        <div>
          <Button type="submit">Save Changes</Button>
        </div>
      </form>
      <dl>
        <StatRow label="Member since">{showDate(user.created_at)}</StatRow>
        <StatRow label={hasProvider ? 'Investment agreement' : 'Statement of risks'}>
          {user.is_agreement_signed
            ? 'Signed'
            : user.agreement_change
              ? 'An older version is signed'
              : 'Not signed yet'}
        </StatRow>
        <StatRow label="Risk score" note="Strategies up to this score are suitable for you">
          {user.risk_profile ? `${user.risk_profile.risk_score} of 5` : 'Not assessed yet'}
        </StatRow>
      </dl>
      {hasProvider && <EligibilityPanel />}
      <AdvicePanel limit={NEWEST_ADVICE} />
      {hasProvider && <SubscriptionPanel />}
      {hasProvider && <FeePanel limit={NEWEST_FEE_BILLS} />}
    </div>
  );
}
