/** Definition rules: validates the mapping of an import definition, for `POST` and `PUT imports`. */
import { limits } from '../../config/limits.ts';
import type { ProblemError } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { FieldMap } from '../mapping/field-map.ts';
import type { ImportDefinition } from '../model/import-definition.ts';
import type { ImportBody } from '../model/schemas.ts';
import { attributeOf, parseTarget } from '../mapping/field-targets.ts';

const MAPPING = '/mapping_fields';

/**
 * Checks the rules of a mapping that its schema cannot express: every target exists, no attribute is mapped twice, and
 * every required attribute is mapped. Each fault has a JSON pointer into the body of the request.
 */
export const checkMapping = ({
  mapping_fields: mapping,
}: ImportBody): Result<ImportDefinition['mapping_fields'], readonly ProblemError[]> => {
  const faults = [
    ...mapping.field_maps.flatMap(mapFaults),
    ...repeatedTargets(mapping.field_maps.map(({ target_field }) => target_field)),
    ...requiredFaults(mapping),
    ...sizeFaults(mapping),
  ];
  return faults.length > 0 ? err(faults) : ok(mapping);
};

const mapFaults = ({ sources, target_field }: FieldMap, index: number): readonly ProblemError[] => {
  const at = `${MAPPING}/field_maps/${index}`;
  return [
    ...(parseTarget(target_field) ? [] : [unknownTarget(`${at}/target_field`)]),
    ...repeated(
      sources.map(({ name }) => name),
      (position) => `${at}/sources/${position}/name`,
    ),
  ];
};

const requiredFaults = ({ required_fields, field_maps }: ImportBody['mapping_fields']): ProblemError[] => {
  const at = (position: number): string => `${MAPPING}/required_fields/${position}`;
  const mapped = new Set(field_maps.map(({ target_field }) => attributeNamed(target_field)));
  const unmet = required_fields.flatMap((name, position) => {
    if (!parseTarget(name)) return [unknownTarget(at(position))];
    if (mapped.has(attributeNamed(name))) return [];
    return [{ pointer: at(position), code: 'not_mapped', detail: 'Is required, but no field map fills it.' }];
  });
  return [...unmet, ...repeated(required_fields.map(attributeNamed), at)];
};

const repeatedTargets = (targets: readonly string[]): ProblemError[] =>
  repeated(targets.map(attributeNamed), (position) => `${MAPPING}/field_maps/${position}/target_field`);

/** Canonical name of an attribute, so that two aliases count as the same. */
const attributeNamed = (text: string): string => {
  const target = parseTarget(text);
  return target ? attributeOf(target) : text;
};

const repeated = (names: readonly string[], at: (position: number) => string): ProblemError[] => {
  const seen = new Set<string>();
  return names.flatMap((name, position) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ pointer: at(position), code: 'duplicate', detail: 'Occurs earlier in the same list.' }];
  });
};

const unknownTarget = (pointer: string): ProblemError => ({
  pointer,
  code: 'unknown_target',
  detail: 'Is no field of a record.',
});

const sizeFaults = (mapping: ImportBody['mapping_fields']): ProblemError[] =>
  Buffer.byteLength(JSON.stringify(mapping)) <= limits.imports.mappingBytes
    ? []
    : [
        {
          pointer: MAPPING,
          code: 'too_long',
          detail: `Is over ${limits.imports.mappingBytes} bytes of JSON.`,
        },
      ];
