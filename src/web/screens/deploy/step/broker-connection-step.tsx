import { useBrokers } from '../../../brokerage/brokerage-queries.ts';
import { ConnectBroker } from '../../../brokerage/connect-broker.tsx';
import { useSession } from '../../../call/session.tsx';
import { ErrorState } from '../../../kit/state/error-state.tsx';
import { Skeleton } from '../../../kit/state/skeleton.tsx';
import { showToast } from '../../../kit/overlay/toast.ts';
import { StepButtons } from './step-buttons.tsx';
import type { Wizard } from '../wizard-state.ts';

export function BrokerConnectionStep({ wizard }: { wizard: Wizard }) {
  const { draft, change, goBack, goTo, user } = wizard;
  const { data: brokers, isPending, isError, refetch } = useBrokers();
  const { reloadUser } = useSession();
  const broker = brokers?.find(({ id }) => id === draft.brokerId) ?? null;
  const ofBroker = user.broker_connections.filter((connection) => connection.broker === draft.brokerId);
  const connected = ofBroker.find((connection) => connection.connection_status === 'active');
  const choosing = ofBroker.find((connection) => connection.connection_status === 'choose_account');

  const useConnection = async (connectionId: string) => {
    await reloadUser();
    change({ connectionId, isConnecting: false });
    if (connectionId !== connected?.id) {
      showToast({ title: 'Broker connected', message: 'Your account is ready to use.', type: 'success' });
    }
    goTo('configuration');
  };

  if (isPending) return <Skeleton className="h-64" />;
  if (isError) {
    return (
      <>
        <ErrorState title="Failed to load brokers. Please try again." onRetry={() => void refetch()} />
        <StepButtons onBack={goBack} />
      </>
    );
  }
  return (
    <>
      <ConnectBroker
        broker={broker}
        connected={connected ?? null}
        choosing={choosing ?? null}
        isConnecting={draft.isConnecting}
        onConnecting={(isConnecting) => change({ isConnecting })}
        onConnected={(id) => void useConnection(id)}
        onChoose={() => void reloadUser()}
        onChooseAnother={() => goTo('broker-selection')}
      />
      <StepButtons onBack={goBack} />
    </>
  );
}
