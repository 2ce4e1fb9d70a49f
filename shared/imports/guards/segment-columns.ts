/** Segment columns: the columns of a file whose cells decide which segments a row makes. */
import { attributeNamed, parseTarget } from '../mapping/field-targets.ts';
import type { ImportDefinition } from '../items/import-definition.ts';

type Mapping = Pick<ImportDefinition, 'mapping_fields'>;

/** Attributes that make no segment. Every other attribute counts as one that does. */
const plain: ReadonlySet<string> = new Set([
  'unique_id',
  'email',
  'social_id',
  'first_name',
  'last_name',
  'full_name',
  'street',
  'street2',
  'zipcode',
  'professional_id',
  'phone_number',
  'home_value',
  'social_token',
]);

/** Attributes with few segments: the age bands, and yes or no. */
const FEW = 10;
const few: ReadonlySet<string> = new Set(['age', 'birthday', 'has_children']);

/** The segments of a channel of consent: given and withdrawn. */
const OF_CHANNEL = 2;

/** Attributes that make their segments together. */
const together: ReadonlyMap<string, string> = new Map([
  ['city', 'place'],
  ['state', 'place'],
  ['country', 'place'],
  ['age', 'age'],
  ['birthday', 'age'],
]);

/** Extra data and the times of statements of consent make no segments either. */
const isPlain = (attribute: string): boolean => {
  if (plain.has(attribute)) return true;
  const kind = parseTarget(attribute)?.kind;
  return kind === 'extra' || kind === 'consentTime';
};

const makesSegments = (attribute: string): boolean => attribute !== TRUST && !isPlain(attribute);

/** The trust of a row decides whether its values count at all. */
const TRUST = 'attribute_source';

/** Whether the rows of a definition can make more new segments than `most`. */
export const canMakeMoreThan = (most: number, { mapping_fields: { field_maps } }: Mapping): boolean => {
  const making = field_maps.map(({ target_field }) => attributeNamed(target_field)).filter(makesSegments);
  const channels = making.filter((attribute) => attribute.startsWith('consent.')).length;
  const others = making.length - channels;
  const fewOnes = making.filter((attribute) => few.has(attribute)).length;
  return others > fewOnes || channels * OF_CHANNEL + (fewOnes > 0 ? FEW : 0) > most;
};

/**
 * Compiles a function of the cells of a row: one key for each value or group of values that makes segments. Rows with
 * the same key make the same segments of that group. `picks` are the columns of each field map.
 */
export const segmentKeys = (
  { mapping_fields: { field_maps } }: Mapping,
  picks: readonly (readonly number[])[],
): ((cells: readonly string[]) => readonly string[]) => {
  const trust: number[] = [];
  const groups = new Map<string, number[]>();
  field_maps.forEach(({ target_field }, index) => {
    const attribute = attributeNamed(target_field);
    const columns = picks[index] ?? [];
    if (attribute === TRUST) trust.push(...columns);
    if (!makesSegments(attribute)) return;
    const group = together.get(attribute) ?? attribute;
    groups.set(group, [...(groups.get(group) ?? []), ...columns]);
  });
  const columnsOf = [...groups].map(([group, columns]) => ({ group, columns: [...trust, ...columns] }));
  return (cells) =>
    columnsOf.map(({ group, columns }) =>
      JSON.stringify([group, ...columns.map((column) => cells[column] ?? '')]),
    );
};
