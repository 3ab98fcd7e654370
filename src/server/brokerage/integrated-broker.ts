/** The slug of the one broker that can be connected (spec section 2, broker documentation). */
export const INTEGRATED_BROKER = 'interactive-brokers';
