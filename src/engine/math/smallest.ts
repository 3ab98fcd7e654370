// The k-th smallest of some values without sorting them all (Hoare, Algorithm 65: Find, Communications of the ACM,
// 1961).

/** `k` counts from 0 among the first `count` values, none of which is NaN. Reorders them. */
export function smallest(values: Float64Array, count: number, k: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = values[Math.floor((low + high) / 2)]!;
    let left = low;
    let right = high;
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left > right) break;
      const swapped = values[left]!;
      values[left++] = values[right]!;
      values[right--] = swapped;
    }
    if (k <= right) high = right;
    else if (k >= left) low = left;
    else break;
  }
  return values[k]!;
}
