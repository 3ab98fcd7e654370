// Boosted trees as one TreeEnsembleRegressor of ai.onnx.ml.
import type { OnnxGraph } from '../onnx/onnx-file.ts';
import type { Tree } from './grow-trees.ts';

export function treeGraph(name: string, width: number, trees: readonly Tree[]): OnnxGraph {
  const nodes = trees.flatMap((tree, treeId) => tree.nodes.map((node, nodeId) => ({ treeId, nodeId, node })));
  const leaves = nodes.flatMap(({ treeId, nodeId, node }) =>
    'value' in node ? [{ treeId, nodeId, value: node.value }] : [],
  );
  const branch = nodes.map(({ node }) => ('input' in node ? node : null));
  const wholes = (attribute: string, values: readonly number[]) => ({ name: attribute, wholes: values });
  return {
    name,
    width,
    tensors: [],
    nodes: [
      {
        operator: 'TreeEnsembleRegressor',
        domain: 'ai.onnx.ml',
        inputs: ['features'],
        output: 'score',
        attributes: [
          { name: 'aggregate_function', text: 'SUM' },
          { name: 'post_transform', text: 'NONE' },
          { name: 'n_targets', whole: 1 },
          wholes(
            'nodes_treeids',
            nodes.map((node) => node.treeId),
          ),
          wholes(
            'nodes_nodeids',
            nodes.map((node) => node.nodeId),
          ),
          { name: 'nodes_modes', texts: branch.map((node) => (node === null ? 'LEAF' : 'BRANCH_LEQ')) },
          wholes(
            'nodes_featureids',
            branch.map((node) => node?.input ?? 0),
          ),
          { name: 'nodes_values', floats: branch.map((node) => node?.threshold ?? 0) },
          wholes(
            'nodes_truenodeids',
            branch.map((node) => node?.left ?? 0),
          ),
          wholes(
            'nodes_falsenodeids',
            branch.map((node) => node?.right ?? 0),
          ),
          wholes(
            'target_treeids',
            leaves.map((leaf) => leaf.treeId),
          ),
          wholes(
            'target_nodeids',
            leaves.map((leaf) => leaf.nodeId),
          ),
          wholes(
            'target_ids',
            leaves.map(() => 0),
          ),
          { name: 'target_weights', floats: leaves.map((leaf) => leaf.value) },
        ],
      },
    ],
  };
}
