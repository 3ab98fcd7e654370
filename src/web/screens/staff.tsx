import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { useUser } from '../call/session.tsx';
import { Button } from '../kit/control/button.tsx';
import { PageTitle } from '../kit/page/page-title.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { ErrorState } from '../kit/state/error-state.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { Invitations, InviteDialog } from '../staff/invitations.tsx';
import { StaffList } from '../staff/staff-list.tsx';
import { useStaff } from '../staff/staff-queries.ts';

/** Who is staff. For everyone but admins the page does not exist. */
export function Staff() {
  const { role } = useUser();
  return role === 'admin' ? <EveryAccount /> : <Navigate to="/" replace />;
}

function EveryAccount() {
  usePageTitle('Staff');
  const [invites, setInvites] = useState(false);
  const staff = useStaff();
  return (
    <div className="grid gap-12">
      <PageTitle
        lead="Who works at the operations desk, for the catalogue, and on this page."
        actions={
          <Button
            variant="secondary"
            icon={<UserPlus className="size-4" aria-hidden="true" />}
            onClick={() => setInvites(true)}
          >
            Invite
          </Button>
        }
      >
        Staff
      </PageTitle>
      {staff.isPending && (
        <div className="grid gap-8">
          <LoadingText>Loading the accounts...</LoadingText>
          <Skeleton className="h-56" />
        </div>
      )}
      {staff.isError && staff.data === undefined && (
        <ErrorState title="The accounts could not be loaded" onRetry={() => void staff.refetch()}>
          Nothing has changed.
        </ErrorState>
      )}
      {staff.data && (
        <>
          <StaffList staff={staff.data.staff} />
          <Invitations invitations={staff.data.invitations} />
        </>
      )}
      {invites && <InviteDialog onClose={() => setInvites(false)} />}
    </div>
  );
}
