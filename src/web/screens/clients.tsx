import { Navigate } from 'react-router';
import { useUser } from '../call/session.tsx';
import { PageTitle } from '../kit/page/page-title.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { FindClient } from '../operations/clients/find-client.tsx';

/** Where support begins when a client writes. For everyone else the page does not exist. */
export function Clients() {
  const { role } = useUser();
  return role === 'support' ? <Find /> : <Navigate to="/" replace />;
}

function Find() {
  usePageTitle('Clients');
  return (
    <div className="grid gap-10">
      <PageTitle lead="The audit log keeps whom you find and whose page you open.">Find a client</PageTitle>
      <FindClient />
    </div>
  );
}
