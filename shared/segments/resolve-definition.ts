/** Definition resolution: looks up and expands the segments of a definition, for custom segments and previews. */
import { limits } from '../config/limits.ts';
import { unknownReference, type ProblemError } from '../http/problem.ts';
import { pointerOf } from '../http/text.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import type { Referent } from '../references/references.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import type { MembersOf } from '../membership/expression-plan.ts';
import { costFault } from '../membership/read-members.ts';
import { referentsAmong } from '../catalogue/identity.ts';
import {
  idsIn,
  refsIn,
  sizeOf,
  tooDeep,
  tooManyNodes,
  withIds,
  type SentDefinition,
} from '../catalogue/definition.ts';
import { resolveRefs } from '../catalogue/segment-refs.ts';
import { expand } from '../catalogue/segment-items.ts';
import type { CustomFacts, SegmentExpression } from '../catalogue/types.ts';

/**
 * A definition whose segments all exist. `referents` are the segments that can be deleted: the referrer must add
 * references to them.
 */
export interface Resolved extends Pick<CustomFacts, 'definition' | 'members' | 'moments'> {
  readonly referents: readonly Referent[];
}

export interface ResolveDeps {
  readonly table: Table;
  readonly catalogue: Pick<SegmentCatalogue, 'find' | 'getMany'>;
}

/**
 * Resolves the names in a definition, looks up its segments and expands it. Faults: unknown ids and names, names of
 * several segments, an expanded definition that is too large,
 * or a definition that is too expensive to count in this property.
 */
export const resolveDefinition = async (
  deps: ResolveDeps,
  property: number,
  sent: SentDefinition,
): Promise<Result<Resolved, readonly ProblemError[]>> => {
  const expanded = await expandDefinition(deps, property, sent);
  if (!expanded.ok) return expanded;
  const { members } = expanded.value;
  const faults = await costFaults(deps.table, { property, expression: members });
  return faults.length > 0 ? err(faults) : expanded;
};

/** The same without a look at the costs. A number for which `isPlace` holds stands for something else than a segment. */
export const expandDefinition = async (
  { catalogue }: Pick<ResolveDeps, 'catalogue'>,
  property: number,
  sent: SentDefinition,
  isPlace: (id: number) => boolean = () => false,
): Promise<Result<Resolved, readonly ProblemError[]>> => {
  const knownAmong = (asked: readonly number[]) => catalogue.getMany(property, asked);
  const refs = refsIn(sent, ['definition']).filter(({ ref }) => typeof ref !== 'number' || !isPlace(ref));
  const ids = await resolveRefs(catalogue, property, refs, knownAmong);
  if (!ids.ok) return ids;
  const definition = withIds(sent, ids.value, isPlace);
  const named = idsIn(definition).flatMap(({ id }) => (isPlace(id) ? [] : [id]));
  const known = await knownAmong(named);
  const unknown = unknownIn(definition, (id) => !known.has(id) && !isPlace(id));
  if (unknown.length > 0) return err(unknown);
  const members = expand(definition, known);
  const fault = sizeFault(members);
  if (fault) return err([{ pointer: pointerOf(['definition']), ...fault }]);
  const segments = [...known.values()];
  const moments = segments.flatMap(({ id, type, custom }) =>
    type === 'moment' ? [id] : (custom?.moments ?? []),
  );
  return ok({ definition, members, moments: [...new Set(moments)], referents: referentsAmong(segments) });
};

/** The fault of a definition whose members are too expensive to count. */
export const costFaults = async (table: Table, members: MembersOf): Promise<readonly ProblemError[]> => {
  const fault = await costFault(table, members);
  return fault ? [{ pointer: pointerOf(['definition']), ...fault }] : [];
};

/** A fault for each place where a definition names an unknown id. */
export const unknownIn = (
  definition: SegmentExpression,
  isUnknown: (id: number) => boolean,
): readonly ProblemError[] =>
  idsIn(definition).flatMap(({ id, path }) =>
    isUnknown(id) ? [unknownReference(pointerOf(['definition', ...path]), { kind: 'segment', id })] : [],
  );

const sizeFault = (members: SegmentExpression): Omit<ProblemError, 'pointer'> | undefined => {
  const { expandedNodes, expandedDepth } = limits.segments;
  const { nodes, levels } = sizeOf(members, expandedNodes);
  if (nodes > expandedNodes) return tooManyNodes(expandedNodes);
  return levels > expandedDepth ? tooDeep(expandedDepth) : undefined;
};
