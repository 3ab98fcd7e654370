// A small network that says what a word may mean, run from its ONNX file in a few lines, in a browser as well: no runtime is
// loaded for it. Its graph is fixed: one rectified hidden layer, then a softmax over the classes.
import { exp } from '#engine/math/exp.ts';
import { TAG_CLASSES, type TagClass } from './tag-classes.ts';
import { FEATURE_COUNT } from './tag-features.ts';

export type Tag = { readonly is: TagClass; readonly says: string; readonly probability: number };

/** The classes, most probable first. Takes the inputs that are 1. */
export type WordTagger = (features: readonly number[]) => readonly Tag[];

/** Throws RangeError where the file is not one of this shape. */
export function wordTagger(file: Uint8Array): WordTagger {
  const tensors = tensorsOf(file);
  const [weights0, biases0, weights1, biases1] = ['weights0', 'biases0', 'weights1', 'biases1'].map((name) =>
    tensors.get(name),
  );
  const hidden = biases0?.length ?? 0;
  const classes = TAG_CLASSES.length;
  const fits =
    weights0?.length === FEATURE_COUNT * hidden &&
    weights1?.length === hidden * classes &&
    biases1?.length === classes;
  if (!biases0 || !weights0 || !weights1 || !biases1 || !fits)
    throw new RangeError('the word tagger is of another shape');
  return (features) => {
    const first = Float64Array.from(biases0);
    for (const feature of features)
      for (let h = 0; h < hidden; h++) first[h] = first[h]! + weights0[feature * hidden + h]!;
    const second = Float64Array.from(biases1);
    for (let h = 0; h < hidden; h++) {
      const value = first[h]!;
      if (value <= 0) continue;
      for (let c = 0; c < classes; c++) second[c] = second[c]! + value * weights1[h * classes + c]!;
    }
    const most = second.reduce((a, b) => Math.max(a, b));
    const powers = second.map((value) => exp(value - most));
    const sum = powers.reduce((a, b) => a + b);
    return TAG_CLASSES.map(([is, says], c) => ({ is, says, probability: powers[c]! / sum })).toSorted(
      (a, b) => b.probability - a.probability,
    );
  };
}

/** The tensors of an ONNX file (onnx.proto: model 7 graph, graph 5 initializer, tensor 8 name and 9 raw data). */
function tensorsOf(file: Uint8Array): ReadonlyMap<string, Float32Array> {
  const found = new Map<string, Float32Array>();
  for (const graph of fieldsOf(file, 7))
    for (const tensor of fieldsOf(graph, 5)) {
      const [name] = fieldsOf(tensor, 8);
      const [raw] = fieldsOf(tensor, 9);
      if (name && raw) found.set(String.fromCharCode(...name), floatsOf(raw));
    }
  return found;
}

function floatsOf(raw: Uint8Array): Float32Array {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  return Float32Array.from({ length: raw.byteLength / 4 }, (_, i) => view.getFloat32(i * 4, true));
}

/** Every value of one field, of wire type 2 (protobuf.dev, encoding). */
function fieldsOf(bytes: Uint8Array, wanted: number): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('the word tagger ends early');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const type = key % 8;
    if (type === 0) varint();
    else if (type === 5) at += 4;
    else if (type === 2) {
      const length = varint();
      if (at + length > bytes.length) throw new RangeError('the word tagger ends early');
      if (Math.floor(key / 8) === wanted) found.push(bytes.subarray(at, at + length));
      at += length;
    } else throw new RangeError('the word tagger is no ONNX file');
  }
  return found;
}
