// Which of the vendor's documented habits the stand-in has. A test may turn one off to look at the others alone.

export type Habits = {
  /** Orders of earlier sessions are in no list, not found by id, and not cancelled. */
  readonly ordersOfSession: boolean;
  /** Of the orders, in shares: a chain of questions comes first. */
  readonly questions: number;
  /** Of the purchases: the chain holds a question that nobody may confirm unseen. */
  readonly forbiddenQuestions: number;
  /** Of the orders: taken, and the answer is lost. */
  readonly lostAnswers: number;
  /** Whether rows of the client's own trading are in the lists. */
  readonly rowsByHand: boolean;
};

export const ALL_HABITS: Habits = {
  ordersOfSession: true,
  questions: 0.7,
  forbiddenQuestions: 0.1,
  lostAnswers: 0.06,
  rowsByHand: true,
};

/** Notices about an order type, which may be confirmed. */
export const CONFIRMABLE = ['o10151', 'o10152', 'o10153', 'o10331', 'o403'] as const;

/** They catch a wrong price, size or value, or are unknown. */
export const FORBIDDEN = ['o163', 'o382', 'o383', 'o451', 'o9871'] as const;

/** No market data subscription: the client's to decide. */
export const NO_MARKET_DATA = 'o354';
