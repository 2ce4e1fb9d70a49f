/** Definition rules: validates the mapping of an import definition, for `POST` and `PUT imports`. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { BodyRule } from '../../http/body-rule.ts';
import { isObject } from '../../http/json.ts';
import type { ProblemError } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import { importBody, type ImportBody } from '../schemas/definition-schemas.ts';
import { fieldMap } from '../mapping/field-map.ts';
import { attributeNamed, parseTarget, statementDatedBy } from '../mapping/field-targets.ts';
import { fieldMapFaults, repeatedFault, repeatsIn, unknownTarget } from './field-map-rules.ts';

const MAPPING = '/mapping_fields';

/**
 * Checks the rules of a mapping that its schema cannot express: each field map is valid, no attribute but consent is mapped
 * twice, and every required attribute is mapped. Each fault has a JSON pointer into the body of the request.
 */
export const checkMapping = ({
  mapping_fields: mapping,
  tags_mode,
}: MappingBody): Result<ImportDefinition['mapping_fields'], readonly ProblemError[]> => {
  const faults = [
    ...mapping.field_maps.flatMap((map, index) => fieldMapFaults(map, `${MAPPING}/field_maps/${index}`)),
    ...repeatedTargets(mapping.field_maps.map(({ target_field }) => target_field)),
    ...requiredFaults(mapping),
    ...undatedFaults(mapping),
    ...sizeFaults(mapping),
    ...(tags_mode === 'replace' && !hasTags(mapping) ? [tagsMissing] : []),
  ];
  return faults.length > 0 ? err(faults) : ok(mapping);
};

/**
 * The faults of the mapping in a body of which other parts are at fault. Where the mapping itself is at fault, each valid
 * field map is judged by itself.
 */
export const mappingRule: BodyRule = (sent) => {
  const whole = v.safeParse(mappingBody, sent);
  if (whole.success) {
    const checked = checkMapping(whole.output);
    return checked.ok ? [] : checked.error;
  }
  const parts = v.safeParse(sentMaps, sent);
  const maps = parts.success ? parts.output.mapping_fields.field_maps.slice(0, limits.imports.fieldMaps) : [];
  return maps.flatMap((part, index) => {
    const map = v.safeParse(fieldMap, part);
    return map.success ? fieldMapFaults(map.output, `${MAPPING}/field_maps/${index}`) : [];
  });
};

/** The same for the definition in a body of `POST imports/inspect`. */
export const inspectedMappingRule: BodyRule = (sent, now) => {
  const definition = isObject(sent) ? sent['definition'] : undefined;
  return mappingRule(definition, now).map(inDefinition);
};

/** A fault of a definition that is the member `definition` of a body. */
export const inDefinition = (fault: ProblemError): ProblemError => ({
  ...fault,
  pointer: `/definition${fault.pointer}`,
});

const { mapping_fields, tags_mode: tagsMode } = importBody.entries;
const mappingBody = v.object({ mapping_fields, tags_mode: tagsMode });
const sentMaps = v.object({ mapping_fields: v.object({ field_maps: v.array(v.unknown()) }) });

/** The part of a definition that says how rows become records. */
type MappingBody = Pick<ImportBody, 'mapping_fields' | 'tags_mode'>;

const hasTags = ({ field_maps }: ImportBody['mapping_fields']): boolean =>
  field_maps.some(({ target_field }) => target_field === 'tags');

const tagsMissing: ProblemError = {
  pointer: '/tags_mode',
  code: 'not_mapped',
  detail: 'Replaces tags, but no field map fills tags.',
};

const requiredFaults = ({ required_fields, field_maps }: ImportBody['mapping_fields']): ProblemError[] => {
  const at = (position: number): string => `${MAPPING}/required_fields/${position}`;
  const mapped = new Set(field_maps.map(({ target_field }) => attributeNamed(target_field)));
  const unmet = required_fields.flatMap((name, position): readonly ProblemError[] => {
    if (!parseTarget(name)) return [unknownTarget(at(position), name)];
    if (mapped.has(attributeNamed(name))) return [];
    return [{ pointer: at(position), code: 'not_mapped', detail: 'Is required, but no field map fills it.' }];
  });
  const repeated = repeatsIn(required_fields, attributeNamed);
  return [...unmet, ...repeated.map(({ position }) => repeatedFault(at(position)))];
};

/** The time of a statement needs the statement. */
const undatedFaults = ({ field_maps }: ImportBody['mapping_fields']): ProblemError[] => {
  const filled = new Set(field_maps.map(({ target_field }) => target_field));
  return field_maps.flatMap(({ target_field }, position) => {
    const consent = statementDatedBy(parseTarget(target_field));
    if (consent === undefined || filled.has(consent)) return [];
    const detail = `Says when ${consent} was said, but no field map fills ${consent}.`;
    return [{ pointer: `${MAPPING}/field_maps/${position}/target_field`, code: 'not_mapped', detail }];
  });
};

/** Several field maps may say what somebody stated about one channel: a withdrawal wins. */
const repeatedTargets = (targets: readonly string[]): readonly ProblemError[] =>
  repeatsIn(targets, (target) =>
    parseTarget(target)?.kind === 'consent' ? undefined : attributeNamed(target),
  ).map(({ position }) => repeatedFault(`${MAPPING}/field_maps/${position}/target_field`));

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
