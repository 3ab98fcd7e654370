import { useMutation } from '@tanstack/react-query';
import type { BrokerConnection } from '#contract/brokerage.ts';
import { call } from '../../call/call.ts';
import { sentenceOf } from '../../call/call-error.ts';
import { SignInAgain } from '../../brokerage/sign-in-again.tsx';
import { needsSignIn, SessionNotice } from '../../brokerage/session-notice.tsx';
import { MarketDataChoice } from '../../brokerage/market-data-choice.tsx';
import { CashStatements } from '../../brokerage/cash-statements.tsx';
import { useSession } from '../../call/session.tsx';
import { Badge } from '../../kit/state/badge.tsx';
import { Button } from '../../kit/control/button.tsx';

/** One account at a broker: whether it works, asked of the broker itself, and whether it is offered first. */
export function BrokerAccount({ connection }: { connection: BrokerConnection }) {
  const { reloadUser } = useSession();
  const params = { id: connection.id };
  const account = `account ${connection.account_id ?? ''}`.trim();
  const test = useMutation({
    mutationFn: () => call('testBrokerConnection', { params }),
    onSuccess: ({ connection_status }) => {
      if (connection_status !== connection.connection_status) void reloadUser();
    },
  });
  const makePrimary = useMutation({
    mutationFn: () => call('setPrimaryBrokerConnection', { params }),
    onSuccess: () => reloadUser(),
  });
  const said = test.data
    ? test.data.message
    : test.isError
      ? sentenceOf(test.error, 'The connection could not be tested. Please try again.')
      : makePrimary.isError
        ? sentenceOf(makePrimary.error, 'The primary account was not changed. Please try again.')
        : null;
  return (
    <div className="grid gap-3 sm:pl-14">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <AccountName connection={connection} />
        {/* Quiet buttons have room around their words: these begin where the line begins. */}
        <span className="-mx-3 flex items-center sm:mx-0">
          {!connection.is_primary && (
            <Button
              variant="quiet"
              size="small"
              busy={makePrimary.isPending}
              aria-label={`Make primary: ${account}`}
              onClick={() => makePrimary.mutate()}
            >
              Make primary
            </Button>
          )}
          <Button
            variant="quiet"
            size="small"
            busy={test.isPending}
            busyLabel="Testing..."
            aria-label={`Test connection of ${account}`}
            onClick={() => test.mutate()}
          >
            Test connection
          </Button>
        </span>
        <span
          role="status"
          className={test.data?.success === false || test.isError ? 'text-loss' : 'text-ink-soft'}
        >
          {said}
        </span>
      </div>
      <SessionNotice
        session={connection.session}
        action={needsSignIn(connection.session) && <SignInAgain connection={connection} />}
      />
      {connection.connection_status === 'active' && (
        <MarketDataChoice connection={connection} onChanged={() => void reloadUser()} />
      )}
      {connection.connection_status === 'active' && <CashStatements connectionId={connection.id} />}
    </div>
  );
}

function AccountName({ connection }: { connection: BrokerConnection }) {
  return (
    <span className="flex items-center gap-3">
      <span className="font-mono">{connection.account_id}</span>
      {connection.is_paper === true && <Badge>Paper money</Badge>}
      {connection.is_primary && <Badge>Primary</Badge>}
    </span>
  );
}
