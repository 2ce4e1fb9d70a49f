/** Definition resolution: looks up and expands the segments of a definition, for custom segments and previews. */
import { limits } from '../config/limits.ts';
import { unknownReference, type ProblemError } from '../http/problem.ts';
import { pointerOf } from '../http/text.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import type { Referent } from '../references/references.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
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
  { table, catalogue }: ResolveDeps,
  property: number,
  sent: SentDefinition,
): Promise<Result<Resolved, readonly ProblemError[]>> => {
  const knownAmong = (asked: readonly number[]) => catalogue.getMany(property, asked);
  const ids = await resolveRefs(catalogue, property, refsIn(sent, ['definition']), knownAmong);
  if (!ids.ok) return ids;
  const definition = withIds(sent, ids.value);
  const named = idsIn(definition).map(({ id }) => id);
  const known = await knownAmong(named);
  const unknown = unknownIn(definition, (id) => !known.has(id));
  if (unknown.length > 0) return err(unknown);
  const members = expand(definition, known);
  const fault = sizeFault(members) ?? (await costFault(table, { property, expression: members }));
  if (fault) return err([{ pointer: pointerOf(['definition']), ...fault }]);
  const segments = [...known.values()];
  const moments = segments.flatMap(({ id, type, custom }) =>
    type === 'moment' ? [id] : (custom?.moments ?? []),
  );
  return ok({ definition, members, moments: [...new Set(moments)], referents: referentsAmong(segments) });
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
