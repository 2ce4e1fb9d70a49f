import type { SegmentIdentity } from './types.ts';

/** A node of the tree of a profile's segments. */
export interface TreeNode {
  /** Distinct segments in the node and below. */
  readonly count: number;
  /** Names of the segments directly in the node. */
  readonly segments: readonly string[];
  readonly subcategories: Tree;
}

/** Nodes by name, in order of name. */
export interface Tree {
  readonly [category: string]: TreeNode;
}

/** A node under construction. Users choose the names, so names are keys of maps, not of objects. */
interface Branch {
  readonly segments: string[];
  readonly branches: Map<string, Branch>;
}

const newBranch = (): Branch => ({ segments: [], branches: new Map() });

/** The tree of distinct segments: each is in the node of its path. A segment without a path is in no node. */
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
  // fromEntries defines own properties, so a place named __proto__ is an ordinary key.
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
