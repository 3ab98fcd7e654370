import { CallError } from '../call/call-error.ts';
import { useSession } from '../call/session.tsx';
import { ButtonLink } from '../kit/control/button-link.tsx';
import { PageTitle } from '../kit/page/page-title.tsx';
import { Notice } from '../kit/state/notice.tsx';

export function isFiguresHidden(error: unknown): error is CallError {
  return error instanceof CallError && error.code === 'figures_hidden';
}

/** The page of a strategy, for somebody who may not see its figures. */
export function FiguresHiddenPage({ error }: { error: CallError }) {
  return (
    <div className="grid gap-6">
      <PageTitle>Strategy</PageTitle>
      <FiguresHidden error={error} />
    </div>
  );
}

/** In place of what somebody may not see: the sentence of the service. */
export function FiguresHidden({ error }: { error: CallError }) {
  const { user } = useSession();
  return (
    <Notice
      title="Figures not shown"
      action={
        user === null && (
          <ButtonLink to="/login" size="small">
            Sign In
          </ButtonLink>
        )
      }
    >
      {error.message}
    </Notice>
  );
}
