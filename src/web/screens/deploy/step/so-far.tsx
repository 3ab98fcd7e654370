import type { ReactNode } from 'react';
import { feeText } from '#rules/eligibility/qualified-client.ts';
import { PERFORMANCE_FEE_PERCENT } from '#rules/fees/performance-fee.ts';
import { fromMicro } from '#units/money.ts';
import { useHasProvider } from '../../../call/installation.ts';
import { useFeePayment } from '../../../fees/fee-queries.ts';
import { Hypothetical } from '../../../kit/figure/hypothetical.tsx';
import { showDate, showMoney, showPercent, showWord } from '../../../kit/figure/show-figure.ts';
import { Surface } from '../../../kit/page/surface.tsx';
import type { Wizard } from '../wizard-state.ts';

/** Percent of gain that the fee example takes. */
const EXAMPLE_GAIN_PERCENT = 10;

/** What it means for the person so far, in dollars of their own amount. */
export function SoFar({ wizard }: { wizard: Wizard }) {
  const hasProvider = useHasProvider();
  const { strategy, amount, draft, user, connection, step } = wizard;
  const dollars = amount.ok ? fromMicro(amount.micro) : strategy.min_investment;
  const drawdown = Math.abs(strategy.backtest_results.max_drawdown);
  const gain = (dollars * EXAMPLE_GAIN_PERCENT) / 100;
  const freeze = draft.settings.freeze_on_drawdown;
  return (
    <aside aria-label="What this means for you">
      <Surface className="lg:sticky lg:top-24">
        <h2 className="font-serif text-lg">What this means for you</h2>
        <dl className="mt-4 grid gap-5">
          <Line
            label={
              step === 'confirmation'
                ? draft.isPractice
                  ? 'You practise with'
                  : 'You deploy'
                : amount.ok
                  ? 'If you deploy'
                  : 'If you deploy the minimum'
            }
            figure={showMoney(dollars, { cents: 'auto' })}
          >
            {draft.isPractice
              ? 'Practice money: none of your own is at stake.'
              : 'It stays in your own brokerage account.'}
          </Line>
          <Line label="Worst past loss" figure={showMoney((-dollars * drawdown) / 100, { cents: 'never' })}>
            In its backtest the strategy once fell {showPercent(drawdown, { decimals: 1 })} from its highest
            value, {sinceFixed(strategy)}. It can fall further. <Hypothetical />
          </Line>
          <Line
            label="No new positions below"
            figure={showMoney(dollars * (1 - freeze / 100), { cents: 'never' })}
          >
            {showPercent(freeze, { decimals: 0 })} under the highest value. Prices can jump past this limit.
          </Line>
          {hasProvider && !draft.isPractice && (
            <FeeExample gain={gain} country={user.country} isOwnStrategy={strategy.fees === 0} />
          )}
        </dl>
        <dl className="mt-5 grid gap-1.5 border-t pt-4 text-sm">
          <Settled label="Risk profile">
            {user.risk_profile && showWord(user.risk_profile.risk_tolerance)}
          </Settled>
          {!draft.isPractice && (
            <>
              <Settled label={hasProvider ? 'Agreement' : 'Statement of risks'}>
                {user.is_agreement_signed && 'Signed'}
              </Settled>
              <Settled label="Broker">{connection?.broker_name}</Settled>
            </>
          )}
        </dl>
      </Surface>
    </aside>
  );
}

function FeeExample({
  gain,
  country,
  isOwnStrategy,
}: {
  gain: number;
  country: string | null;
  isOwnStrategy: boolean;
}) {
  const charged = useFeePayment().data?.fee_percent;
  // Until the country is known nobody can say that none is charged.
  const percent = isOwnStrategy
    ? 0
    : country === null
      ? PERFORMANCE_FEE_PERCENT
      : (charged ?? PERFORMANCE_FEE_PERCENT);
  return (
    <Line
      label={`Fee, if it gains ${EXAMPLE_GAIN_PERCENT}%`}
      figure={showMoney((gain * percent) / 100, { cents: 'auto' })}
    >
      {isOwnStrategy
        ? feeText('own_strategy')
        : percent === 0
          ? 'You pay none: in the United States only a qualified client may pay one. If you are one, you can state it in your account settings.'
          : `${percent}% of ${showMoney(gain, { cents: 'auto' })}. No profit, no fee.`}
    </Line>
  );
}

/** The part of the record that could not influence the choice of rules. */
function sinceFixed({ samples, evidence }: Wizard['strategy']): string {
  const { out_of_sample: later } = samples;
  const since = showDate(evidence.out_of_sample.from);
  return later === null
    ? `all of it in-sample, before its rules were fixed on ${since}`
    : `and ${showPercent(Math.abs(later.max_drawdown ?? 0), { decimals: 1 })} out-of-sample, since its rules were fixed on ${since}`;
}

function Line({ label, figure, children }: { label: string; figure: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-faint">{label}</dt>
      <dd className="figures mt-0.5 text-lg">{figure}</dd>
      <dd className="mt-0.5 text-sm text-ink-soft">{children}</dd>
    </div>
  );
}

function Settled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-ink-faint">{label}</dt>
      <dd className={children ? 'text-ink' : 'text-ink-faint'}>{children || 'Still open'}</dd>
    </div>
  );
}
