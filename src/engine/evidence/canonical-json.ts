// One text for one value: JSON with keys sorted by code unit, no white space, numbers as ECMAScript prints them
// (the rules of RFC 8785). Promises that equal values give equal text, and refuses what JSON would silently change.

/** The canonical JSON of a value. Throws TypeError, naming the place, on NaN, infinity, undefined or a non-plain object. */
export function canonicalJson(value: unknown): string {
  return textOf(value, '$');
}

function textOf(value: unknown, place: string): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${place} is ${value}: not a JSON number`);
      return JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) {
        return `[${Array.from(value, (item, index) => textOf(item, `${place}[${index}]`)).join(',')}]`;
      }
      return objectText(value, place);
    default:
      throw new TypeError(`${place} is ${typeof value}: not a JSON value`);
  }
}

function objectText(value: object, place: string): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`${place} is not a plain object or array`);
  }
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${textOf(item, `${place}.${key}`)}`).join(',')}}`;
}
