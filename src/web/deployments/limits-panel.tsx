import type { Deployment } from '#contract/deployments.ts';
import { disconnectPolicyLabel } from '#rules/deployments/disconnect-policy-text.ts';
import { TRIPWIRE_CHOICE_LABELS } from '#rules/deployments/tripwire-text.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { showDate, showMoney, showPercent } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';
import { disconnectPolicyOf } from './disconnect-policy-field.tsx';
import { stopLossNote } from './stop-loss-note.ts';
import { StatusBadge } from './status-badge.tsx';
import { freezeFloor } from './deployment-figures.ts';

/** The limits in force, each in percent and in the money that it means today. */
export function LimitsPanel({ deployment }: { deployment: Deployment }) {
  const percent = (value: number) => showPercent(value, { decimals: 0 });
  const share = (value: number) => showMoney((deployment.equity * value) / 100, { cents: 'never' });
  const freeze = deployment.freeze_on_drawdown;
  const isPractice = deployment.mode === 'practice';
  return (
    <section>
      <SectionTitle>Strategy Settings</SectionTitle>
      <dl className="mt-3">
        <StatRow label="Stop Loss" note={stopLossNote(deployment)}>
          {percent(deployment.stop_loss_percentage)}
        </StatRow>
        <StatRow
          label="Max Allocation"
          note={`${share(deployment.max_allocation_per_trade)} per position at today’s value`}
        >
          {percent(deployment.max_allocation_per_trade)}
        </StatRow>
        <StatRow label="Freeze Trading" note={freeze === 0 ? undefined : freezeNote(deployment)}>
          {freeze === 0 ? 'Disabled' : percent(freeze)}
        </StatRow>
        <StatRow label="If it does worse than its record">
          {TRIPWIRE_CHOICE_LABELS[deployment.tripwire_choice]}
        </StatRow>
        {!isPractice && (
          <StatRow label="If your broker does not respond">
            {disconnectPolicyLabel(disconnectPolicyOf(deployment))}
          </StatRow>
        )}
        {deployment.frozen_at && <StatRow label="Frozen since">{showDate(deployment.frozen_at)}</StatRow>}
        {deployment.freeze_lifted_at && (
          <StatRow label="Freeze ended by you">{showDate(deployment.freeze_lifted_at)}</StatRow>
        )}
        <StatRow label="Status">
          <StatusBadge deployment={deployment} />
        </StatRow>
      </dl>
    </section>
  );
}

function freezeNote({ peak_equity: peak, freeze_on_drawdown: percent }: Deployment): string {
  const [floor, from] = [freezeFloor(peak, percent), peak].map((value) =>
    showMoney(value, { cents: 'never' }),
  );
  return `Below ${floor}; the peak is ${from}`;
}
