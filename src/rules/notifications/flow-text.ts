// The words of notices about money added to a deployment or withdrawn from it.
import type { TradingNotice } from '#engine/execution/deployment/notice-facts.ts';
import { dollars } from '../dollars.ts';
import { flowReason } from '../reasons/flow-reason.ts';

export type FlowNotice = Extract<
  TradingNotice,
  { readonly kind: 'money_added' | 'money_withdrawn' | 'flow_refused' }
>;

export function flowText(facts: FlowNotice): { readonly title: string; readonly message: string } {
  const { strategyName, requested } = facts;
  if (facts.kind === 'flow_refused') {
    const [title, what] =
      facts.flow === 'deposit'
        ? ['Money not added', 'were not added']
        : ['Money not withdrawn', 'were not withdrawn'];
    return { title, message: `${strategyName}: ${dollars(requested)} ${what}. ${flowReason(facts.reason)}` };
  }
  const { moved, investment } = facts;
  if (facts.kind === 'money_added')
    return {
      title: 'Money added',
      message: `${strategyName} has ${dollars(moved)} more: ${dollars(investment)} put in altogether. Its positions grow with the next orders.`,
    };
  const less = moved < requested ? ` You asked for ${dollars(requested)}; no more was freed.` : '';
  return {
    title: 'Money withdrawn',
    message: `${dollars(moved)} left ${strategyName} and are free cash in your brokerage account.${less}`,
  };
}
