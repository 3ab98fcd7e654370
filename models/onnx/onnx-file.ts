// An ONNX file of one graph: rows of 32-bit floats in, one score for each row out. Field numbers are those of onnx.proto
// (github.com/onnx/onnx, IR version 8); operators of opset 17 and of ai.onnx.ml 3.
import { floatBytes, ProtobufWriter } from './protobuf-writer.ts';

export type OnnxGraph = {
  readonly name: string;
  /** Inputs of a row: the graph takes `features` [rows, width] and gives `score` [rows, outputs]. */
  readonly width: number;
  /** 1 unless it is given. */
  readonly outputs?: number;
  readonly nodes: readonly OnnxNode[];
  readonly tensors: readonly OnnxTensor[];
};

export type OnnxNode = {
  readonly operator: string;
  readonly domain?: 'ai.onnx.ml';
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes?: readonly OnnxAttribute[];
};

type OnnxAttribute = { readonly name: string } & (
  | { readonly text: string }
  | { readonly wholes: readonly number[] }
  | { readonly whole: number }
  | { readonly floats: readonly number[] }
  | { readonly texts: readonly string[] }
);

export type OnnxTensor = {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
};

export function onnxFile(graph: OnnxGraph): Uint8Array {
  const body = new ProtobufWriter();
  for (const node of graph.nodes) body.message(1, nodeMessage(node));
  body.text(2, graph.name);
  for (const tensor of graph.tensors) body.message(5, tensorMessage(tensor));
  body
    .message(11, valueMessage('features', graph.width))
    .message(12, valueMessage('score', graph.outputs ?? 1));
  return new ProtobufWriter()
    .whole(1, IR_VERSION)
    .text(2, 'bellwether')
    .message(7, body)
    .message(8, new ProtobufWriter().text(1, '').whole(2, OPSET))
    .message(8, new ProtobufWriter().text(1, 'ai.onnx.ml').whole(2, ML_OPSET))
    .finish();
}

function nodeMessage({ operator, domain, inputs, output, attributes = [] }: OnnxNode): ProtobufWriter {
  const node = new ProtobufWriter();
  for (const input of inputs) node.text(1, input);
  node.text(2, output).text(3, output).text(4, operator);
  for (const attribute of attributes) node.message(5, attributeMessage(attribute));
  return domain === undefined ? node : node.text(7, domain);
}

function attributeMessage(attribute: OnnxAttribute): ProtobufWriter {
  const message = new ProtobufWriter().text(1, attribute.name);
  if ('whole' in attribute) return message.whole(3, attribute.whole).whole(20, TYPE.whole);
  if ('text' in attribute) return message.text(4, attribute.text).whole(20, TYPE.text);
  if ('floats' in attribute) return message.floats(7, attribute.floats).whole(20, TYPE.floats);
  if ('wholes' in attribute) return message.wholes(8, attribute.wholes).whole(20, TYPE.wholes);
  for (const text of attribute.texts) message.text(9, text);
  return message.whole(20, TYPE.texts);
}

function tensorMessage({ name, shape, values }: OnnxTensor): ProtobufWriter {
  return new ProtobufWriter().wholes(1, shape).whole(2, FLOAT).text(8, name).bytes(9, floatBytes(values));
}

function valueMessage(name: string, width: number): ProtobufWriter {
  const shape = new ProtobufWriter()
    .message(1, new ProtobufWriter().text(2, 'rows'))
    .message(1, new ProtobufWriter().whole(1, width));
  const tensor = new ProtobufWriter().whole(1, FLOAT).message(2, shape);
  return new ProtobufWriter().text(1, name).message(2, new ProtobufWriter().message(1, tensor));
}

const IR_VERSION = 8;
const OPSET = 17;
const ML_OPSET = 3;
const FLOAT = 1;
/** AttributeProto.AttributeType. */
const TYPE = { whole: 2, text: 3, floats: 6, wholes: 7, texts: 8 };
