// A list of numbers of instruments that is emptied and filled again and again: its room is kept.

export class IndexList {
  count = 0;
  #items = new Int32Array(FEW);

  at(i: number): number {
    return this.#items[i]!;
  }

  add(s: number): void {
    if (this.count === this.#items.length) {
      const wider = new Int32Array(this.count * 4);
      wider.set(this.#items);
      this.#items = wider;
    }
    this.#items[this.count++] = s;
  }

  /** The others keep their order. */
  remove(s: number): void {
    const items = this.#items;
    let kept = 0;
    for (let i = 0; i < this.count; i++) if (items[i] !== s) items[kept++] = items[i]!;
    this.count = kept;
  }

  /** Keeps the first `count` entries. */
  cut(count: number): void {
    this.count = count;
  }

  put(i: number, s: number): void {
    this.#items[i] = s;
  }

  copyFrom(items: readonly number[]): void {
    this.count = 0;
    for (const s of items) this.add(s);
  }

  copyTo(other: IndexList): void {
    other.count = 0;
    for (let i = 0; i < this.count; i++) other.add(this.#items[i]!);
  }

  list(): number[] {
    return Array.from(this.#items.subarray(0, this.count));
  }
}

const FEW = 16;
