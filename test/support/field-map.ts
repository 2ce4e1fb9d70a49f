/** A field map that fills a field from one column of a file; without a name, from the column that is named like the field. */
export const fieldMap = <Field, Name = Field>(target_field: Field, name?: Name, more?: object) => ({
  sources: [{ type: 'source_field' as const, name: name ?? target_field }],
  target_field,
  ...more,
});
