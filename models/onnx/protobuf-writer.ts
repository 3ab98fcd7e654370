// Writes the few forms of protocol buffers that an ONNX file is made of (protobuf.dev, encoding).

export class ProtobufWriter {
  readonly #parts: Uint8Array[] = [];

  /** Wire type 0: numbers that are whole and not negative. */
  whole(field: number, value: number): this {
    return this.#put(varint(field * 8), varint(value));
  }

  /** Wire type 5: a 32-bit float. */
  float(field: number, value: number): this {
    return this.#put(varint(field * 8 + 5), floatBytes([value]));
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  message(field: number, value: ProtobufWriter): this {
    return this.bytes(field, value.finish());
  }

  /** Packed: all values of a repeated field in one piece. */
  wholes(field: number, values: readonly number[]): this {
    return this.bytes(field, joined(values.map(varint)));
  }

  floats(field: number, values: readonly number[]): this {
    return this.bytes(field, floatBytes(values));
  }

  /** Wire type 2: a length, then that many bytes. */
  bytes(field: number, value: Uint8Array): this {
    return this.#put(varint(field * 8 + 2), varint(value.length), value);
  }

  finish(): Uint8Array {
    return joined(this.#parts);
  }

  #put(...parts: Uint8Array[]): this {
    this.#parts.push(...parts);
    return this;
  }
}

/** Little-endian, as the format has it. */
export function floatBytes(values: ArrayLike<number>): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (let i = 0; i < values.length; i++) view.setFloat32(i * 4, values[i]!, true);
  return new Uint8Array(view.buffer);
}

function varint(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a whole number: ${value}`);
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
