// The words of the field, each with what it is in a sentence about a strategy. Written in base form: the lexer knows their
// endings. What is not here stands out as not read.

export type Category =
  | 'number'
  | 'unit'
  | 'average'
  | 'indicator'
  | 'band'
  | 'compare'
  | 'cross'
  | 'action'
  | 'when'
  | 'unless'
  | 'otherwise'
  | 'and'
  | 'or'
  | 'comma'
  | 'end'
  | 'not'
  | 'only'
  | 'instrument'
  | 'kind'
  | 'vague'
  | 'unsupported'
  | 'style'
  | 'risk'
  | 'schedule'
  | 'size'
  | 'rank'
  | 'rise'
  | 'fall'
  | 'measure'
  | 'extreme'
  | 'stop'
  | 'target'
  | 'option'
  | 'pair'
  | 'period'
  | 'wish'
  | 'side'
  | 'sign'
  | 'deviation'
  | 'stretched'
  | 'price'
  | 'drift'
  | 'liquid'
  | 'reference'
  | 'change'
  | 'mark'
  | 'glue'
  | 'unknown';

type Row = readonly [Category, string, string];

/** Category, value, and the phrases apart by commas. A longer phrase is looked for before a shorter one. */
export const LEXICON: readonly Row[] = [
  ['unit', 'day', 'day, session, trading day, trading session, d, bar'],
  ['unit', 'week', 'week, w, wk, trading week'],
  ['unit', 'month', 'month, mo, m, mth'],
  ['unit', 'quarter', 'quarter'],
  ['unit', 'year', 'year, y, yr'],
  [
    'average',
    'sma',
    'average, moving average, simple moving average, mean, avg, ma, sma, mov avg, moving mean, trend line, line',
  ],
  ['average', 'sma_days', 'dma, dsma'],
  ['average', 'ema', 'ema, exponential average, exponential moving average'],
  ['average', 'wma', 'wma, weighted moving average'],
  ['indicator', 'rsi', 'rsi, relative strength index'],
  ['indicator', 'adx', 'adx, average directional index, directional index'],
  ['indicator', 'macd', 'macd, macd line'],
  ['indicator', 'histogram', 'macd histogram, histogram'],
  ['indicator', 'signal', 'signal line, signal'],
  ['indicator', 'stochastic', 'stochastic, stochastic oscillator'],
  ['indicator', 'zscore', 'zscore, z score'],
  ['indicator', 'volume', 'volume, trading volume, turnover'],
  [
    'indicator',
    'volatility',
    'volatility, annual volatility, annualized volatility, annualised volatility, yearly volatility, vol',
  ],
  ['band', 'lower', 'lower bollinger band, lower band, bottom band, bottom bollinger band'],
  ['band', 'upper', 'upper bollinger band, upper band, top band, top bollinger band'],
  ['band', 'middle', 'middle band, middle bollinger band, mid band, center band, centre band'],
  [
    'compare',
    'above',
    'above, over, higher than, greater than, more than, exceed, top of, past, north of, stronger than, >, in excess of, outpace, better than, up through, larger than, bigger than, on top of, higher, stronger',
  ],
  [
    'compare',
    'below',
    'below, under, beneath, underneath, less than, lower than, lower then, smaller than, south of, weaker than, <, sub, fewer than, worse than, shy of, lower, weaker',
  ],
  ['compare', 'at_least', 'at least, > =, no less than, not less than, no lower than'],
  ['compare', 'at_most', 'at most, < =, no more than, not more than, no higher than, up to, maximum of, max'],
  [
    'cross',
    'crosses_above',
    'cross above, cross over, cross up, cross up through, cross back above, cross back over, overtake, move above, golden cross above, crosses upward through',
  ],
  [
    'cross',
    'crosses_below',
    'cross below, cross under, cross beneath, cross down, cross back below, cross back under, cross down through, fall behind, cross back down',
  ],
  ['cross', 'golden', 'golden cross, bullish cross'],
  ['cross', 'death', 'death cross, bearish cross'],
  ['cross', 'either', 'cross, crossover, crossing'],
  [
    'action',
    'buy',
    'buy, bought, go long, long, enter, get in, get into, purchase, enter long, take a long position, be in, be long, add, step in, pick up, acquire, go in',
  ],
  [
    'action',
    'hold',
    'hold, own, keep, hodl, stay in, stay invested, stay invested in, invest, invest in, be invested in, buy and hold, sit in, stay long, remain in, put',
  ],
  [
    'action',
    'sell',
    'sell, sold, exit, get out, get out of, leave, unload, dump, out, bail, bail out, bail out of, quit, flat, go flat, cash out, liquidate, close the position, close out, close it, sell it, be flat, get flat, be out, step aside, sell out',
  ],
  ['action', 'short', 'short, sell short, go short, short sell, bet against, short it, enter short'],
  ['action', 'cover', 'cover, buy back, close the short, cover it, close the bet, buy to cover'],
  [
    'action',
    'cash',
    'cash, go to cash, in cash, move to cash, hold cash, sit in cash, stay in cash, be in cash, into cash, switch to cash, to cash, to the sidelines',
  ],
  ['action', 'trade', 'trade, deal in, play'],
  [
    'when',
    'when',
    'when, if, whenever, once, as soon as, on, after, every time, each time, in case, the moment, at, upon',
  ],
  [
    'when',
    'while',
    'while, as long as, so long as, only when, only if, only while, only as long as, provided, provided that, during, whilst, only in case',
  ],
  ['unless', '', 'unless, except when, except if'],
  ['otherwise', '', 'otherwise, else, if not'],
  ['reference', 'opposite', 'opposite, the opposite, the reverse, vice versa, reverse, it reverses'],
  ['reference', 'either', 'either, either one, either of them, one of them'],
  ['and', '', 'and, &, plus, as well as, but, then, yet'],
  ['or', '', 'or'],
  ['comma', '', '","'],
  [
    'not',
    'no',
    "no, not, never, without, don't, do not, doesn't, does not, isn't, is not, aren't, are not, avoid, refuse, won't, will not, must not, mustn't, shouldn't, should not, no kind of, skip, forbid, forbidden, prohibited, not allowed, cannot, can't, hate, dislike, nor, neither, rather not, leave out, stay away from, steer clear of, stay clear of, keep away from, zero exposure to, nothing in, ban, drop the, remove, wasn't, weren't, wouldn't, dont, doesnt, isnt, arent, wont, cant, mustnt, shouldnt, wasnt, werent, wouldnt",
  ],
  [
    'not',
    'except',
    'except, except for, excluding, exclude, other than, apart from, but not, everything but, all but, anything but, minus, save for, with the exception of, aside from, ex, bar, instead of, rather than, in place of',
  ],
  ['only', '', 'only, nothing but, just, exclusively, solely, purely, nothing except'],
  [
    'style',
    'trend_following',
    'trend following, trend follow, trend, trend follower, follow trend, follow the trend, ride the trend',
  ],
  ['style', 'momentum', 'momentum, time series momentum'],
  [
    'style',
    'mean_reversion',
    'mean reversion, mean revert, mean reverting, reversion to the mean, revert to the mean',
  ],
  ['style', 'breakout', 'breakout, break out, channel breakout'],
  [
    'risk',
    'low',
    'low risk, little risk, lower risk, small risk, conservative, conservatively, cautious, cautiously, defensive, risk low',
  ],
  ['risk', 'medium', 'medium risk, moderate risk, moderate, moderately, average risk, balanced, risk medium'],
  ['risk', 'high', 'high risk, higher risk, aggressive, aggressively, speculative, bold, risk high'],
  [
    'schedule',
    'day',
    'daily, every day, each day, once a day, every trading day, day by day, each evening, every evening',
  ],
  ['schedule', 'week', 'weekly, every week, each week, once a week, wkly, per week'],
  [
    'schedule',
    'month',
    'monthly, every month, each month, once a month, per month, every four weeks, month by month',
  ],
  [
    'size',
    'equal',
    'equal weight, equally weight, equal weighted, equally, in equal part, equal part, evenly, equal share, same amount, equal amount, equal size, equal dollar, same weight, even split, equal, split evenly',
  ],
  [
    'size',
    'inverse',
    'inverse volatility, by inverse volatility, inverse vol, risk parity, calmer one larger, calmer larger, larger in calmer, weight by inverse volatility, inverse volatility weight, inverse volatility weighted, weighted by inverse volatility, sized by inverse volatility, inversely to volatility, inverse to volatility, more in calmer one',
  ],
  [
    'size',
    'conviction',
    'conviction, by conviction, weight by strength, size by strength, weight by momentum, size by momentum, more money in stronger one, more money in the stronger one, more money into the stronger one, more money into stronger one, more in the stronger one, more into the stronger one, more in the stronger, more into the stronger, more money in the stronger, more money into the stronger, more for the stronger, more for the stronger one, the stronger the larger, the stronger the bigger, larger in the stronger one, bigger in the stronger one, in proportion to strength, in proportion to momentum, in proportion to its momentum, proportional to strength, proportional to momentum',
  ],
  [
    'size',
    'money',
    'of the money, of my money, of the capital, of my capital, of the portfolio, of my portfolio, of the account, of my account, of equity, of capital, of my cash, of the cash, invested, in the market, at work, my capital, of my saving, my money, the money, allocation, position size, exposure',
  ],
  [
    'rank',
    'top',
    'top, best, strongest, highest, best performing, top performing, leading, leader, winner, biggest gainer, best performer, top performer, most, greatest, biggest, biggest winner, strongest performer, largest, hottest',
  ],
  ['rank', 'better', 'did better, performed better, did best, has done better'],
  [
    'rank',
    'bottom',
    'bottom, worst, weakest, lowest, worst performing, loser, least, smallest, biggest loser',
  ],
  ['rank', 'rank', 'rank, sort, ranked, order'],
  [
    'rise',
    '',
    'rise, rose, risen, gain, climb, up, advance, go up, gone up, increase, rally, appreciate, went up, be up, jump',
  ],
  [
    'fall',
    '',
    'fall, fell, fallen, drop, decline, down, lose, lost, slip, sink, go down, gone down, decrease, went down, loss, slide, dip, be down, sell off, pull back, tumble',
  ],
  [
    'measure',
    'return',
    'return, change, performance, roc, rate of change, total return, price change, gain in price, lookback, look back',
  ],
  [
    'extreme',
    'high',
    'high, peak, highest price, highest close, highest, new high, maximum, top price, fresh high',
  ],
  ['extreme', 'low', 'low, trough, lowest price, lowest close, lowest, new low, minimum price, fresh low'],
  ['stop', '', 'stop loss, stop, stoploss, sl, cut loss, cut, hard stop, protective stop'],
  [
    'target',
    '',
    'take profit, profit target, tp, take gain, price target, take the profit, profit at, target of',
  ],
  ['option', 'covered_call', 'covered call, buy write, buywrite, call, write call, sell call'],
  ['option', 'protective_put', 'protective put, put, insurance put, hedging put, buy put'],
  ['option', 'cash_secured_put', 'cash secured put, write put, sell put, short put'],
  ['pair', '', 'pair trading, pair trade, pair, against, versus, vs, spread between, spread'],
  [
    'period',
    'last',
    'last, past, previous, prior, trailing, in, within, during, over, for, of, preceding, latest',
  ],
  ['wish', 'drawdown', 'drawdown, max drawdown, maximum drawdown, draw down'],
  [
    'wish',
    'return',
    'a year, per year, annually, annual return, yearly return, p a, target return, per annum, yearly, annual, annualised, annualized',
  ],
  [
    'wish',
    'minimum',
    'minimum investment, minimum, min investment, start with, starting with, starting capital, from',
  ],
  ['side', 'both', 'long and short, long short, both direction, both side, both way, long or short'],
  ['side', 'long', 'long only, only long, long side only'],
  ['side', 'short_only', 'short only, only short'],
  ['sign', 'positive', 'positive, in the green, above zero, in positive territory'],
  ['sign', 'negative', 'negative, in the red, below zero, in negative territory'],
  ['deviation', '', 'standard deviation, deviation, sigma, sd, stdev, std dev, std'],
  ['stretched', 'oversold', 'oversold'],
  ['stretched', 'overbought', 'overbought'],
  ['price', 'close', 'price, close, quote, rate, closing price, spot, trade price'],
  [
    'drift',
    '',
    'drift, drift apart, drift away, off by, off target by, out of line by, out of balance by, rebalancing band, rebalance band, tolerance band, no trade band, deviate, deviate by',
  ],
  ['liquid', '', 'most traded, most liquid, most actively traded, most active, most heavily traded'],
  ['mark', 'twice', 'twice, double, triple, thrice'],
  ['mark', 'between', 'between'],
  ['mark', 'back', 'back, again, return to, revert'],
  ['mark', 'ago', 'ago, earlier, before'],
  ['mark', 'later', 'later'],
  ['mark', 'next', 'next day, next session, following day, day after'],
  [
    'mark',
    'skip',
    'skip the last, skipping the last, without the last, leaving out the last, excluding the last, skipping the most recent, ignoring the last',
  ],
  ['mark', 'otm', 'out of the money, otm, out-of-the-money'],
  ['mark', 'protect', 'protect, insure, hedge'],
  ['mark', 'write', 'write, collect premium, premium, collect'],
  ['glue', 'like', "i'd like, i would like, would like, should like, like to, like this, like so"],
  ['mark', 'rest', 'rest, remainder'],
  ['mark', 'roll', 'roll, roll over, renew, roll them, rolled over'],
  ['size', 'cap', 'cap, capped, cap of, position cap, position limit'],
  [
    'mark',
    'each',
    'each, apiece, in one, in any one, per position, per share, per instrument, per stock, per name, in one share, in one stock, in a single share, in any single share, in any share, in any one share, in one instrument, in each, for each position',
  ],
  ['change', 'add', 'also, in addition, additionally, too'],
  ['change', 'instead', 'instead, rather'],
];

/** Words that carry no rule of their own. A word that could change the meaning of another is never here. */
export const GLUE = new Set(
  (
    'turn turns mix basket combination forever a an the i me my we our us you it its he they them their there of to this that these those which who whose is are be been being am was were s ' +
    "do does did has have had having will would can could should shall may want need please wish let lets let's i'd i'll i'm id wanna it's they're that's " +
    'strategy system approach portfolio make made build create design use using run set get go going with by from as into for so some any one ones thing way kind ' +
    'something position goes gone went trades traded trading trader allocate allocated split rebalance rebalanced rebalancing rebal check checks checked checking review reviewed look looked inspect inspected update updated ' +
    'restore weight weights rule rules weighting size sized sizing always ever basis new fresh come comes reach reaches hit hits close closes closed closing ' +
    'stay trades instrument instruments asset assets name names pick choose chosen select selected all every everything whichever whatever whole entire ' +
    'aim aiming aims earn fast slow whose thank thanks hello hi dear simply usual own strike strikes value level levels threshold reading swap swapped switch switched dollar dollars usd bucks ' +
    'capital money account market markets based length period periods worth of'
  ).split(' '),
);
