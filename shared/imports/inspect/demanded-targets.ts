/** Demanded targets: checks the fields that a request of `inspectImport` names for columns. */
import type { ProblemError } from '../../http/problem.ts';
import { pointerOf } from '../../http/text.ts';
import { checkMapping } from '../definitions/definition-rules.ts';
import { repeatedFault, unknownTarget } from '../definitions/field-map-rules.ts';
import { columnsOf } from '../mapping/field-map.ts';
import { attributeNamed, parseTarget } from '../mapping/field-targets.ts';
import type { ImportBody } from '../schemas/definition-schemas.ts';

/** The field of each column that a request names; `null` leaves the column out. */
export type DemandedTargets = ReadonlyMap<string, string | null>;

const at = (column: string): string => pointerOf(['targets', column]);

/** The faults of the fields: unknown fields, and fields that a column before fills already. */
export const targetFaults = (targets: DemandedTargets): readonly ProblemError[] => {
  const filled = new Set<string>();
  return [...targets].flatMap(([column, target]): readonly ProblemError[] => {
    if (target === null) return [];
    if (!parseTarget(target)) return [unknownTarget(at(column), target)];
    const attribute = attributeNamed(target);
    if (filled.has(attribute)) return [repeatedFault(at(column))];
    filled.add(attribute);
    return [];
  });
};

/** The faults of the columns: the header of the file lacks them. */
export const columnFaults = (targets: DemandedTargets, header: readonly string[]): readonly ProblemError[] =>
  [...targets.keys()]
    .filter((column) => !header.includes(column))
    .map((column) => ({
      pointer: at(column),
      code: 'unknown_column',
      detail: 'The file has no column of this name.',
    }));

/** The faults that the suggested definition has because of the fields in the request, at the columns in the request. */
export const demandFaults = (targets: DemandedTargets, suggested: ImportBody): readonly ProblemError[] => {
  const checked = checkMapping(suggested);
  if (checked.ok) return [];
  return checked.error.flatMap((fault) => {
    const index = /^\/mapping_fields\/field_maps\/(\d+)(?:\/|$)/.exec(fault.pointer)?.[1];
    const map = index === undefined ? undefined : suggested.mapping_fields.field_maps[Number(index)];
    const column = map && columnsOf(map).find((name) => targets.has(name));
    return column === undefined ? [] : [{ ...fault, pointer: at(column) }];
  });
};
