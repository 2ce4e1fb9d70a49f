/** A field map that fills a field from one column of a file; without a name, from the column that is named like the field. */
export const fieldMap = <Field, Name = Field>(target_field: Field, name?: Name, more?: object) => ({
  sources: [{ type: 'source_field' as const, name: name ?? target_field }],
  target_field,
  ...more,
});

/** The mapping of a definition. A name stands for the field that is filled from the column of this name. */
export const mappingOf = <Map extends object>(
  maps: readonly (string | Map)[],
  required_fields: readonly string[] = [],
) => ({
  mapping_fields: {
    required_fields: [...required_fields],
    field_maps: maps.map((map) => (typeof map === 'string' ? fieldMap(map) : map)),
  },
});

/** A definition of these field maps, as a client sends it. */
export const definitionOf = <Map extends object>(
  maps: readonly (string | Map)[],
  {
    required_fields,
    ...more
  }: { readonly required_fields?: readonly string[]; readonly [key: string]: unknown } = {},
) => ({ name: 'Visitors', ...mappingOf(maps, required_fields), ...more });
