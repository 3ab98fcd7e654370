import { BrokerChoice } from '../../../brokerage/broker-choice.tsx';
import { useBrokers } from '../../../brokerage/brokerage-queries.ts';
import { EmptyState } from '../../../kit/state/empty-state.tsx';
import { ErrorState } from '../../../kit/state/error-state.tsx';
import { LoadingText } from '../../../kit/state/loading-text.tsx';
import { Skeleton } from '../../../kit/state/skeleton.tsx';
import { StepButtons } from './step-buttons.tsx';
import type { Wizard } from '../wizard-state.ts';

export function BrokerSelectionStep({ wizard }: { wizard: Wizard }) {
  const { draft, change, goBack, goOn } = wizard;
  const { data: brokers, isPending, isError, refetch } = useBrokers();
  if (isPending) {
    return (
      <div className="grid gap-3">
        <LoadingText>Loading brokers...</LoadingText>
        {[1, 2, 3, 4].map((place) => (
          <Skeleton key={place} className="h-28" />
        ))}
      </div>
    );
  }
  if (isError) {
    return (
      <>
        <ErrorState title="Failed to load brokers. Please try again." onRetry={() => void refetch()} />
        <StepButtons onBack={goBack} />
      </>
    );
  }
  if (brokers.length === 0) {
    return (
      <>
        <EmptyState title="No brokers available">
          Please contact support to add broker integrations.
        </EmptyState>
        <StepButtons onBack={goBack} />
      </>
    );
  }
  const chosen = brokers.find(({ id }) => id === draft.brokerId);
  return (
    <>
      <p className="mb-6 text-ink-soft">
        Your money stays in your own account at the broker. We only place orders there.
      </p>
      <BrokerChoice brokers={brokers} value={draft.brokerId} onChange={(brokerId) => change({ brokerId })} />
      <StepButtons
        onBack={goBack}
        next={{
          label: chosen ? `Connect to ${chosen.name}` : 'Connect',
          missing: chosen ? undefined : 'Choose a broker to continue.',
          onPress: goOn,
        }}
      />
    </>
  );
}
