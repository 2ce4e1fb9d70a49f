import { expect } from 'vitest';
import { check } from '../../shared/http/schema-faults.ts';
import { createImport } from '../../shared/imports/definitions/change-imports.ts';
import { importBody } from '../../shared/imports/schemas/definition-schemas.ts';
import { importHarness, request, simpleDefinition } from './import-harness.ts';
import { fieldMap } from '../support/field-map.ts';

type Mapping = Record<string, unknown>;
/** A field map of one column. */
export const map = (target_field: unknown, name: unknown = 'Column', more: object = {}): Mapping =>
  fieldMap(target_field, name, more);
/** The body of a definition with these field maps. */
export const mapping = (field_maps: unknown, required_fields: unknown = []): object => ({
  ...simpleDefinition,
  mapping_fields: { required_fields, field_maps },
});

/** Pointers and codes of the faults of a definition; none when the definition is accepted. */
export const faultsOf = async (body: unknown): Promise<readonly string[]> => {
  const checked = check(importBody, body);
  if (!checked.ok) return checked.faults.map(({ pointer, code }) => `${pointer} ${code}`);
  const harness = importHarness();
  const answer = await createImport(harness.deps, request({}, {}, checked.value));
  if (answer.ok) return [];
  expect(answer.error.status).toBe(422);
  expect(harness.table.items()).toEqual([]);
  return (answer.error.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
};
