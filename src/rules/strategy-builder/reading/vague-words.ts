// What people say that can mean several rules, each with the rules to choose from; and what the language of strategies does
// not have, each with the reason. Neither is ever guessed or left out in silence.

export type Choice = {
  readonly label: string;
  /** What it puts in the place of the words. */
  readonly says: string;
  /** The words, where they are not all that was asked about. */
  readonly about?: string;
};

export type VagueWord = {
  readonly words: string;
  readonly asks: string;
  readonly choices: readonly Choice[];
};

const choice = (label: string, says = label): Choice => ({ label, says });

export const DIPS = [
  choice('RSI(14) under 30', 'when RSI(14) is under 30'),
  choice(
    '2 deviations under the 20-day average',
    'when it is 2 standard deviations below its 20-day average',
  ),
  choice('Down 5% in 5 days', 'when it falls 5% within 5 days'),
];
export const STRONG = [
  choice('Above its 200-day average', 'when it is above its 200-day average'),
  choice('Up over 6 months', 'when its 6-month return is positive'),
  choice('A new 55-day high', 'when it makes a 55-day high'),
];
const WEAK = [
  choice('Below its 200-day average', 'when it is below its 200-day average'),
  choice('Down over 6 months', 'when its 6-month return is negative'),
  choice('A new 20-day low', 'when it makes a 20-day low'),
];
const RISKS = [choice('Low risk'), choice('Medium risk'), choice('High risk')];
const STOPS = [choice('A stop loss of 5%'), choice('A stop loss of 10%'), choice('A stop loss of 20%')];
const SCHEDULES = [choice('Daily'), choice('Weekly'), choice('Monthly')];

export const VAGUE: readonly VagueWord[] = [
  {
    words: 'rsi strategy, rsi system, rsi trading, by rsi, use rsi, with rsi, rsi rule, rsi signal',
    asks: 'At which levels of the RSI?',
    choices: [
      choice('Buy under 30, sell above 55', 'Buy when RSI(14) is under 30, sell when RSI(14) is above 55'),
      choice('Buy under 10, sell after 5 days', 'Buy when RSI(2) is under 10, sell after 5 days'),
    ],
  },
  {
    words: 'bollinger, bollinger band, bollinger strategy, bollinger band strategy',
    asks: 'Which band, and where does it leave?',
    choices: [
      choice(
        'Buy under the lower band, sell at the middle',
        'Buy under the lower band, sell at the middle band',
      ),
    ],
  },
  {
    words: 'macd strategy, macd system, macd signal, macd crossover strategy',
    asks: 'By which cross?',
    choices: [
      choice('Buy when it crosses above its signal line', 'Buy when MACD crosses above its signal line'),
    ],
  },
  {
    words:
      'moving average strategy, moving average system, moving average crossover, crossover strategy, average crossover, donchian, channel, donchian channel, turtle, two moving average',
    asks: 'Over which lengths?',
    choices: [
      choice('50 and 200 days crossing', 'Buy when the 50-day average crosses above the 200-day average'),
      choice('Above the 200-day average', 'Hold while above the 200-day average'),
      choice('A 20-day high, until a 10-day low', 'Buy on a 20-day high and sell at a 10-day low'),
    ],
  },
  {
    words:
      'dip, the dip, pullback, weakness, correction, setback, cheap after, sharp fall, big drop, sharp drop, steep drop, crash, plunge, sell off sharply, big fall, large drop, too cheap, washout, panic, blood in the streets, blood, fearful, capitulation, on weakness',
    asks: 'How large a fall is meant?',
    choices: DIPS,
  },
  {
    words:
      'strong, strength, looks strong, going well, do well, doing well, bull market, bullish, uptrend, up trend, upswing, trend is up, trend up, rising trend, trending, trending up, trending upward, upward trend, healthy, running, taking off, hot, moving up, good momentum, strong momentum, right time, the right moment, good moment, good time, conditions are good, outlook is good',
    asks: 'By what rule is that seen?',
    choices: STRONG,
  },
  {
    words:
      'weak, looks weak, bear market, bearish, downtrend, down trend, trend is down, trend down, market falls, market fall, falling market, the market falls, market drop, before it crash, turning down, rolling over, going badly, recovery, recover, storm, turbulence, things go wrong, goes south, market turn, spike',
    asks: 'By what rule is that seen?',
    choices: WEAK,
  },
  {
    words:
      'safe, safely, safety, secure, secured, careful, carefully, not too risky, risky, low-key, prudent, calm, steady, steadily, stable, reliable, reliably, sleep well',
    asks: 'How much risk?',
    choices: RISKS,
  },
  {
    words:
      'big tech, tech, tech stock, tech share, technology, technology share, technology stock, tech giant, faang, magnificent seven, mag 7, growth stock, growth share, value stock, dividend stock, dividend payer, small cap, large cap, mid cap, blue chip, blue chip stock, blue chips, bank stock, energy stock, oil company, oil stock, oil share, bank share, banks, pharma, health care, utilities, meme stock, penny stock, good company, good stock, quality, quality share, quality stock, sector, industry, semiconductor, chip stock, chip maker, emerging market, green energy, ai stock, ev stock, good one, solid company, big company, large company, famous company, nice company, altcoin, alt, defi, stablecoin, mega cap, start up, real estate, reit',
    asks: 'Which instruments are meant? There is no list by sector, size or quality here.',
    choices: [choice('The market fund', 'the market fund'), choice('All US shares', 'US shares')],
  },
  {
    words:
      'often, frequently, regularly, from time to time, now and then, sometimes, periodically, occasionally, rarely, once in a while, every so often',
    asks: 'How often?',
    choices: SCHEDULES,
  },
  {
    words:
      'too much, lose too much, big loss, large loss, protect me, limit my loss, limit loss, limit the loss, not lose much, cut losses early, tight stop, wide stop, cut the losers, cut loser, small loss',
    asks: 'At what loss is a position closed?',
    choices: STOPS,
  },
  {
    words:
      'low, rsi is low, low price, high price, high, expensive, near, close to, around, about, roughly, a bit, slightly, a little, somewhat, a lot, much, far, significantly, well above, well below, way above, way below, near the high, extreme, extremes, big, small, large, huge, sharply, quickly, slowly, soon, early, late, long term, short term, medium term, for a while, some time, a few day, a few week, several, few, recently, lately, low volatility, high volatility, low vol, high vol, volatile, calm market, quiet, best one, good, bad, great, nice, right, sensible, reasonable, optimal, enough, undervalued, overvalued, cheap, too high, too low',
    asks: 'By what number is that measured?',
    choices: [],
  },
  {
    words:
      'like warren buffett, warren buffett, like buffett, buffett, like a pro, hedge fund, smart money, ray dalio, jim simons, like soros',
    asks: 'Which rule of theirs is meant? Say what is bought when, and sold when.',
    choices: [choice('Buy and hold', 'buy and hold'), choice('Trend following', 'trend following')],
  },
  {
    words: 'rotate, rotate between, rotation, switch between, alternate, alternate between, swing between',
    asks: 'By what rule does it change from one to the other?',
    choices: [choice('Hold the one that rose most in 3 months', 'hold the top 1 by 3-month return of')],
  },
];

export type Unsupported = { readonly words: string; readonly why: string };

export const TRAILING_STOP =
  'There is no trailing stop here. A stop loss is set from the entry; a rule can sell at a new low, such as a 20-day low.';

export const UNSUPPORTED: readonly Unsupported[] = [
  {
    words: 'trailing stop, trailing stop loss, trail, trailing, trail the stop, chandelier, ratchet',
    why: TRAILING_STOP,
  },
  {
    words: 'atr, average true range',
    why: 'Stops and sizes by the average true range are not available. A stop is a percentage of the entry.',
  },
  {
    words: 'leverage, leveraged, margin, on margin, borrow, borrowed money, geared',
    why: 'Leverage is not available: nothing is borrowed.',
  },
  {
    words:
      'news, sentiment, twitter, social media, reddit, headline, rumour, rumor, tweet, insider, insider tip, insider trade, tip',
    why: 'Rules read prices and volume only.',
  },
  {
    words:
      'earnings, earnings beat, dividend, p/e, p e, pe ratio, p/e ratio, p e ratio, valuation, fundamental, book value, revenue, profit margin, cash flow, eps, interest rate, inflation, unemployment, gdp, fed, vix, yield, debt',
    why: 'Rules read prices and volume only.',
  },
  {
    words:
      'intraday, scalp, scalping, scalper, day trade, day trading, day trader, hourly, hour, minute, second, high frequency, tick, hourly bar, overnight, opening bell, lunch, at the open, at the close price, pre market, after hours',
    why: 'Rules are looked at once a day, after the close.',
  },
  {
    words:
      'quarterly, every quarter, each quarter, yearly rebalance, once a year, every year, twice a week, every two weeks, biweekly, fortnightly, every other week, twice a month, semi annually, every six months',
    why: 'Rules are looked at daily, weekly or monthly.',
  },
  {
    words:
      'monday, tuesday, wednesday, thursday, friday, saturday, sunday, weekend, january, february, march, april, may, june, july, august, september, october, november, december, sell in may, halloween, christmas, santa, full moon, seasonality, turn of the month, last day of the month, first of the month, end of month, time of day, weekday',
    why: 'Rules know no days of the calendar.',
  },
  {
    words:
      "guarantee, guaranteed, risk free, never lose, no loss, without loss, cannot lose, can't lose, sure profit, sure thing",
    why: 'No strategy can promise that.',
  },
  {
    words:
      'neural network, neural, machine learning, deep learning, predict, prediction, forecast, chatgpt, llm, artificial intelligence, ai model',
    why: 'The builder writes rules; it trains no models.',
  },
  {
    words:
      'arbitrage, market making, wash trade, spoof, front run, pump and dump, grid, grid trading, martingale, double down, averaging down, average down, pyramid, pyramiding, scale in, scale out, dollar cost averaging, dca, partial profit, sell half, half of, take half off, sell part, sell a third, halve, double the position, increase the position, add to winner, add to the position',
    why: 'A position is opened and closed as a whole, by the rules of one instrument.',
  },
  {
    words:
      'in a row, consecutive, straight day, down day, up day, red day, green day, candle, doji, hammer, engulfing, head and shoulder, cup and handle, double top, double bottom, flag, wedge, triangle, fibonacci, elliott, wave, ichimoku, vwap, order flow, support, resistance, pivot, gap, gap up, gap down, inside day, parabolic, sar, keltner, supertrend, obv, money flow, cci, williams, beta, correlation, sharpe, alpha, heikin',
    why: 'There is no such measure here. There are averages, RSI, MACD, ADX, stochastic, bands, highs and lows, changes, volatility and volume.',
  },
  {
    words:
      'iron condor, straddle, strangle, butterfly, calendar spread, collar, naked call, long call, credit spread, debit spread, the wheel, leap',
    why: 'Options are covered calls, protective puts and cash-secured puts.',
  },
  {
    words:
      'twice the weight, double weight, double the weight, half the weight, overweight, underweight, kelly, market cap weight, cap weighted, by market cap, value weighted',
    why: 'Positions are equal, fixed percentages, sized by volatility, or by the strength of a ranking.',
  },
  {
    words:
      'maximum position, at most position, open position, position at a time, position at once, position open',
    why: 'The number of positions is set by a ranking, such as the top 5.',
  },
];
