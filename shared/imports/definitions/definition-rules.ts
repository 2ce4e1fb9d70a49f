/** Definition rules: validates the mapping of an import definition, for `POST` and `PUT imports`. */
import { limits } from '../../config/limits.ts';
import type { ProblemError } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { FieldMap } from '../mapping/field-map.ts';
import type { ImportDefinition } from '../model/import-definition.ts';
import type { ImportBody } from '../model/schemas.ts';
import { attributeOf, parseTarget } from '../mapping/field-targets.ts';
import { isTransformation } from '../mapping/transformations.ts';

const MAPPING = '/mapping_fields';

/**
 * Checks the rules of a mapping that its schema cannot express: every target and transformation exists, no attribute is
 * mapped twice, and every required attribute is mapped. Each fault has a JSON pointer into the body of the request.
 */
export const checkMapping = ({
  mapping_fields: mapping,
}: ImportBody): Result<ImportDefinition['mapping_fields'], readonly ProblemError[]> => {
  const maps = mapping.field_maps.map(checkMap);
  const faults = [
    ...maps.flatMap((map) => (map.ok ? [] : map.error)),
    ...repeatedTargets(mapping.field_maps.map(({ target_field }) => target_field)),
    ...requiredFaults(mapping),
    ...sizeFaults(mapping),
  ];
  if (faults.length > 0) return err(faults);
  const field_maps = maps.flatMap((map) => (map.ok ? [map.value] : []));
  return ok({ required_fields: mapping.required_fields, field_maps });
};

type SentMap = ImportBody['mapping_fields']['field_maps'][number];

const checkMap = (map: SentMap, index: number): Result<FieldMap, readonly ProblemError[]> => {
  const at = `${MAPPING}/field_maps/${index}`;
  const faults: ProblemError[] = [];
  if (!parseTarget(map.target_field)) faults.push(unknownTarget(`${at}/target_field`));
  faults.push(
    ...repeated(
      map.sources.map(({ name }) => name),
      (position) => `${at}/sources/${position}/name`,
    ),
  );
  const transformations = (map.transformations ?? []).flatMap(({ name }, position) => {
    if (isTransformation(name)) return [{ name }];
    const pointer = `${at}/transformations/${position}/name`;
    faults.push({ pointer, code: 'unknown_transformation', detail: 'There is no such transformation.' });
    return [];
  });
  if (faults.length > 0) return err(faults);
  const { sources, target_field } = map;
  return ok({ sources, target_field, ...(map.transformations ? { transformations } : {}) });
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
