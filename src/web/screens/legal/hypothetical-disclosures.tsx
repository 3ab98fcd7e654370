import { useHasProvider } from '../../call/installation.ts';
import { PROVIDER } from '../../call/provider.ts';
import { ProsePage, type ProseSection } from '../../kit/page/prose-page.tsx';

const sectionsOf = (hasProvider: boolean): readonly ProseSection[] => [
  {
    heading: 'What hypothetical means',
    paragraphs: [
      'Every return, ratio, chart and trade shown on a strategy’s page was computed by applying the strategy’s rules to prices of the past. No client’s money was at risk. No client received these results.',
      'Backtests are made with the benefit of hindsight. Rules are kept because they did well on the past they were tested on, so their results are likely to be better than what follows.',
    ],
  },
  {
    heading: 'How the figures are made',
    paragraphs: [
      `Decisions use only prices that were known at the time. Trades are filled at the next opening price, moved against the strategy by an assumed slippage, and charged a commission. ${hasProvider ? 'The performance fee and your taxes are not taken off, unless a figure says so.' : 'Your taxes are not taken off.'}`,
      'Returns are in percent. The annual return is geometric. Volatility, Sharpe and Sortino ratio are annualized, over 252 days for markets that trade on weekdays and 365 for cryptocurrencies, from the sample standard deviation. The drawdown is the fall from the highest value before it.',
      'The benchmark is shown for comparison, without costs. Nobody can invest in it directly.',
    ],
  },
  {
    heading: 'What they leave out',
    paragraphs: [
      'Real orders can be filled late, partly, at worse prices or not at all. Many clients trading the same strategy can move a price. Brokers, data and networks fail. Your own amount, limits, start date and costs make your result differ from the one shown.',
      'A person watching real losses may stop at the worst moment. A calculation never does.',
    ],
  },
  {
    heading: 'How figures are marked',
    paragraphs: [
      'A dashed line over hatching is a backtest on prices that the rules were chosen with. A thin solid line is a backtest on prices that came after. A full line is what happened with fills. A soft band is an expected range. Each hypothetical figure carries the word and leads to this page.',
    ],
  },
  {
    heading: 'The sandbox market',
    paragraphs: [
      'Where the page says ‘Sandbox market’, prices and fills are simulated: no order reaches an exchange and no money is at risk. Results in the sandbox say nothing about results in real markets.',
    ],
  },
  {
    heading: 'What to rely on',
    paragraphs: [
      'Hypothetical performance is one input among several. Look at the worst fall, the length of the record and your own situation as well. Past performance, hypothetical or real, does not guarantee future results.',
    ],
  },
];

export function HypotheticalDisclosures() {
  return (
    <ProsePage
      title="Hypothetical Performance Disclosures"
      effective={PROVIDER.relationshipSummaryEffective}
      lead="The results of strategies shown here were not earned by anyone. This page says how they are made and what they cannot tell you."
      sections={sectionsOf(useHasProvider())}
    />
  );
}
