import type { SegmentIdentity } from './types.ts';

/** A node of the tree of a profile's segments. */
export interface TreeNode {
  /** Distinct segments in the node and below. */
  readonly count: number;
  /** Names of the segments directly in the node. */
  readonly segments: readonly string[];
  readonly subcategories: Tree;
}

/** Nodes by their names, in the order of these. */
export interface Tree {
  readonly [category: string]: TreeNode;
}

/** A node under construction. Names are users' words, so they are keys of maps, not of objects. */
interface Branch {
  readonly segments: string[];
  readonly branches: Map<string, Branch>;
}

const newBranch = (): Branch => ({ segments: [], branches: new Map() });

/** The tree of distinct segments: each stands in the node that its path names. One without a path stands in none. */
export const treeOf = (segments: Iterable<SegmentIdentity>): Tree => {
  const root = newBranch();
  for (const { path, name } of segments) {
    let branch = root;
    for (const category of path) {
      const next = branch.branches.get(category) ?? newBranch();
      branch.branches.set(category, next);
      branch = next;
    }
    if (branch !== root) branch.segments.push(name);
  }
  return nodesOf(root);
};

const nodesOf = ({ branches }: Branch): Tree =>
  // fromEntries defines own properties, so that a place named __proto__ is a place like any other.
  Object.fromEntries(
    [...branches]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([category, branch]): [string, TreeNode] => [category, nodeOf(branch)]),
  );

const nodeOf = (branch: Branch): TreeNode => {
  const subcategories = nodesOf(branch);
  const below = Object.values(subcategories).reduce((sum, { count }) => sum + count, 0);
  return { count: branch.segments.length + below, segments: branch.segments.toSorted(), subcategories };
};
