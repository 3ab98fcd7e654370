import type { BrokerSession } from '#contract/brokerage.ts';
import { classNames } from '../kit/class-names.ts';
import { useHasLasted } from './use-has-lasted.ts';

/** The same in one line, for lists. Nothing while all is well. */
export function SessionLine({ session, className }: { session: BrokerSession | null; className?: string }) {
  const lasts = useHasLasted(session?.since ?? null);
  if (session === null || session.state === 'connected' || !lasts) return null;
  const { state, title, next_step } = session;
  const look =
    state === 'reset_window' || state === 'paced'
      ? 'text-ink-soft'
      : state === 'sign_in_due'
        ? 'text-loss'
        : 'text-caution';
  return (
    <span className={classNames('text-sm', look, className)}>
      Broker: {title.toLowerCase()}. {next_step ?? 'No orders are sent until it is back.'}
    </span>
  );
}
