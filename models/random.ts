// The random source of training: 32-bit xorshift (G. Marsaglia, Journal of Statistical Software, 2003). The same seed
// always gives the same numbers.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0 || 1;
    for (let i = 0; i < 8; i++) this.uniform();
  }

  /** From 0 up to, not including, 1. */
  uniform(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state / 4_294_967_296;
  }

  /** From 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.uniform() * end);
  }
}
