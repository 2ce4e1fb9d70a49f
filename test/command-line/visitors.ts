/** The definition of an import of visitors, and its parts. */
import type { ImportDefinition } from '../../client/src/imports/mapping.ts';
import { fieldMap } from '../support/field-map.ts';

export type FieldMap = ImportDefinition['mapping_fields']['field_maps'][number];

export const mapOf = (name: string, target_field: string, options: object = {}): FieldMap =>
  fieldMap(target_field, name, options);
export const email = mapOf('E-Mail', 'email');
export const born = mapOf('Geb', 'birthday', { transformations: [{ name: 'date_dmy' }] });
export const title = mapOf('Anrede', 'extra_data.Anrede');
export const withMaps = (...field_maps: FieldMap[]): ImportDefinition => ({
  name: 'Visitors',
  delimiter: 'semicolon',
  mapping_fields: { required_fields: [], field_maps },
});
export const header = ['E-Mail', 'Geb', 'Anrede'];
export const nothing = new Map<string, string | null>();
