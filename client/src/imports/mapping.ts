/** The mapping of an import definition: which columns fill which fields. */

/** A field map, as far as programs look into it. */
export interface FieldMap {
  readonly [member: string]: unknown;
  readonly sources: readonly {
    readonly type: string;
    readonly name?: string | undefined;
    readonly occurrence?: number | undefined;
  }[];
  readonly target_field: string;
}

/** The definition of an import, as far as programs look into it. The service judges the rest. */
export interface ImportDefinition {
  readonly [member: string]: unknown;
  readonly name: string;
  readonly mapping_fields: { readonly [member: string]: unknown; readonly field_maps: readonly FieldMap[] };
}

/** The columns that a field map reads. */
export const columnsOf = ({ sources }: FieldMap): readonly string[] =>
  sources.flatMap(({ name }) => (name === undefined ? [] : [name]));

/** Whether a header has the columns of a definition, and as often as the definition says. */
export const hasColumns = (
  header: readonly string[],
  { mapping_fields }: Pick<ImportDefinition, 'mapping_fields'>,
): boolean =>
  mapping_fields.field_maps
    .flatMap(({ sources }) => sources)
    .every(({ name, occurrence }) => {
      if (name === undefined) return true;
      const times = header.filter((column) => column === name).length;
      return occurrence === undefined ? times === 1 : times >= occurrence;
    });

/** The fields that a column fills. */
export const targetsOf = (
  { mapping_fields }: Pick<ImportDefinition, 'mapping_fields'>,
  column: string,
): readonly string[] =>
  mapping_fields.field_maps
    .filter((map) => columnsOf(map).includes(column))
    .map(({ target_field }) => target_field);

/** Whether a field only keeps what no other field takes. */
export const isExtra = (target: string): boolean => target.startsWith('extra_data.');

const identities: ReadonlySet<string> = new Set(['unique_id', 'email', 'social_id']);

/** Whether a definition says whose record a row is. */
export const hasIdentity = ({ mapping_fields }: Pick<ImportDefinition, 'mapping_fields'>): boolean =>
  mapping_fields.field_maps.some(({ target_field }) => identities.has(target_field));

/** For each column that somebody speaks of, the field that it fills; null for a column that is left out. */
export type Targets = ReadonlyMap<string, string | null>;
