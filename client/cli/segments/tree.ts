/** Sorts segments into a tree by type and name, as the service shows it for one person. */
import type { Branch } from '../terminal/table.ts';
import { count } from '../terminal/text.ts';

/** A segment with its size; null before the first measurement. */
export interface SizedSegment {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly count: number | null;
  /** How far a condition is prepared, from 0 to 1. Other segments have none. */
  readonly progress?: number;
}

const roots: Readonly<Record<string, string>> = {
  everyone: 'Everyone',
  tag: 'Tags',
  source: 'Sources',
  demographic: 'Demographics',
  location: 'Location',
  consent: 'Consent',
  brand: 'Brands',
  CATEGORY: 'Categories',
  custom: 'Custom',
  condition: 'Conditions',
  moment: 'Moments',
};

/** The folders and the leaf of a segment. Names of places begin with the smallest part: `Austin, TX, US`. */
const pathOf = ({ name, type }: SizedSegment): readonly string[] => {
  const root = roots[type] ?? type;
  switch (type) {
    case 'demographic':
    case 'consent':
      return [root, ...name.split(/: (.*)/su, 2)];
    case 'location':
      return [root, ...name.split(', ').toReversed()];
    case 'CATEGORY':
      return [root, ...name.split(' > ')];
    case 'everyone':
      return [root];
    default:
      return [root, name];
  }
};

interface Node {
  size: string;
  readonly below: Map<string, Node>;
}

/** The tree of segments: folders in a fixed order, names in the order of the alphabet. */
export const segmentTree = (segments: readonly SizedSegment[]): readonly Branch[] => {
  const root: Node = { size: '', below: new Map() };
  for (const folder of Object.values(roots)) root.below.set(folder, { size: '', below: new Map() });
  for (const segment of segments.toSorted((one, other) => one.name.localeCompare(other.name))) {
    let node = root;
    for (const part of pathOf(segment)) {
      const next = node.below.get(part) ?? { size: '', below: new Map<string, Node>() };
      node.below.set(part, next);
      node = next;
    }
    node.size = segment.count === null ? '' : count(segment.count);
  }
  return branchesOf(root).filter(({ label, below }) => below.length > 0 || label.startsWith('Everyone  '));
};

const branchesOf = ({ below }: Node): readonly Branch[] =>
  [...below].map(([name, node]) => ({
    label: node.size === '' ? name : `${name}  ${node.size}`,
    below: branchesOf(node),
  }));
