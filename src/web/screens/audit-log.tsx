import { Navigate } from 'react-router';
import { useUser } from '../call/session.tsx';
import { PageTitle } from '../kit/page/page-title.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { AuditReader } from '../operations/audit-log/audit-reader.tsx';

/** Who did what. For everyone but auditors and admins the page does not exist. */
export function AuditLog() {
  const { role } = useUser();
  return role === 'auditor' || role === 'admin' ? <Log /> : <Navigate to="/" replace />;
}

function Log() {
  usePageTitle('Audit log');
  return (
    <div className="grid gap-10">
      <PageTitle lead="Who did what to deployments, orders, permissions and settings. Nobody can change it here.">
        Audit log
      </PageTitle>
      <AuditReader />
    </div>
  );
}
