import { useParams } from 'react-router';
import { DeploymentWizard } from './deployment-wizard.tsx';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { isNotFound, useStrategy } from '../../strategies/strategy-queries.ts';
import { FiguresHiddenPage, isFiguresHidden } from '../../strategies/figures-hidden.tsx';

export function Deploy() {
  const { id = '' } = useParams();
  const { data: strategy, error, isError, refetch } = useStrategy(id);
  usePageTitle(strategy ? `Deploy ${strategy.name}` : 'Deploy');
  if (strategy && strategy.offer_note !== null)
    return (
      <ErrorState
        heading="h1"
        title={`${strategy.name} cannot be deployed`}
        action={<ButtonLink to={`/strategy/${strategy.id}`}>Back to the Strategy</ButtonLink>}
      >
        {strategy.offer_note}
      </ErrorState>
    );
  if (strategy) return <DeploymentWizard key={strategy.id} strategy={strategy} />;
  if (isFiguresHidden(error)) return <FiguresHiddenPage error={error} />;
  if (isError) {
    return (
      <ErrorState
        heading="h1"
        title={isNotFound(error) ? 'Strategy not found' : 'Failed to load deployment information'}
        onRetry={isNotFound(error) ? undefined : () => void refetch()}
        action={
          <ButtonLink to="/marketplace" variant="secondary">
            Back to Marketplace
          </ButtonLink>
        }
      />
    );
  }
  return (
    <>
      <LoadingText>Loading deployment setup...</LoadingText>
      <Skeleton className="mt-4 h-10 w-80 max-w-full" />
      <Skeleton className="mt-8 h-1 w-full" />
      <div className="mt-12 grid gap-10 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-14">
        <Skeleton className="h-80" />
        <Skeleton className="h-80" />
      </div>
    </>
  );
}
