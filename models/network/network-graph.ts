// Networks of one shape as one ONNX graph that returns the mean of their outputs. Hidden layers are placed side by side
// in one wider layer, each network fed by its own neurons only.
import type { OnnxGraph, OnnxNode, OnnxTensor } from '../onnx/onnx-file.ts';
import type { Layer } from './train-network.ts';

export function networkGraph(name: string, networks: readonly (readonly Layer[])[]): OnnxGraph {
  const depth = networks[0]!.length;
  const nodes: OnnxNode[] = [];
  const tensors: OnnxTensor[] = [];
  let input = 'features';
  for (let l = 0; l < depth; l++) {
    const place = l === 0 ? 'first' : l === depth - 1 ? 'last' : 'middle';
    const layer = besideEachOther(
      networks.map((network) => network[l]!),
      place,
    );
    tensors.push(
      { name: `weights${l}`, shape: [layer.inputs, layer.outputs], values: layer.weights },
      { name: `biases${l}`, shape: [layer.outputs], values: layer.biases },
    );
    const isLast = place === 'last';
    const output = isLast ? 'score' : `sum${l}`;
    nodes.push({ operator: 'Gemm', inputs: [input, `weights${l}`, `biases${l}`], output });
    if (!isLast) nodes.push({ operator: 'Relu', inputs: [output], output: `hidden${l}` });
    input = `hidden${l}`;
  }
  return { name, width: networks[0]![0]!.inputs, nodes, tensors };
}

/** first: all read the same inputs. middle: each reads its own. last: their answers are averaged. */
function besideEachOther(layers: readonly Layer[], place: 'first' | 'middle' | 'last'): Layer {
  const { inputs, outputs } = layers[0]!;
  const wideInputs = place === 'first' ? inputs : inputs * layers.length;
  const wideOutputs = place === 'last' ? outputs : outputs * layers.length;
  const share = place === 'last' ? 1 / layers.length : 1;
  const weights = new Float64Array(wideInputs * wideOutputs);
  const biases = new Float64Array(wideOutputs);
  layers.forEach((layer, n) => {
    const firstInput = place === 'first' ? 0 : n * inputs;
    const firstOutput = place === 'last' ? 0 : n * outputs;
    for (let o = 0; o < outputs; o++) {
      const at = firstOutput + o;
      biases[at] = biases[at]! + layer.biases[o]! * share;
      for (let i = 0; i < inputs; i++) {
        weights[(firstInput + i) * wideOutputs + at] = layer.weights[i * outputs + o]! * share;
      }
    }
  });
  return { inputs: wideInputs, outputs: wideOutputs, weights, biases };
}
