// The causes of orders that no target decided. A cause is a part of the client order id, so that an id can be traced to it.

/** The cause of every stop-loss order; the attempt counts them per instrument. */
export const STOP_LOSS_CAUSE = 'stop-loss';

/** The same for positions that equity no longer covers. */
export const MARGIN_CAUSE = 'margin-call';
