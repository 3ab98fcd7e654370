// Columns that grow by one value at a time: the values so far lie in one array, which is larger than they need.

/** `values` is another array after some pushes: read it anew each time. */
export class GrowingColumn {
  values: Float64Array = new Float64Array(CAPACITY);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Float64Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }
}

const CAPACITY = 256;
