import { expect, it } from 'vitest';
import { addressParts, returnedFields, scalarFields, sentFields } from '../../shared/profiles/fields.ts';
import { recordSchema } from '../../shared/profiles/record-schema.ts';
import { identityKinds } from '../../shared/table/keys.ts';

it('a looked-up profile has 23 fields, and exports add country and age', () => {
  expect(returnedFields).toHaveLength(23);
  expect(scalarFields.slice(23)).toEqual(['country', 'age']);
  expect(new Set(scalarFields).size).toBe(25);
});

it('the table of fields orders the scalar fields as the contract does', () => {
  expect(returnedFields.slice(0, 3)).toEqual(['last_name', 'professional_id', 'street']);
  expect(returnedFields.slice(-3)).toEqual(['household_income', 'profile_uuid', 'unique_id']);
});

it('a record can be sent with every field of the table, and identities come first', () => {
  const accepted = Object.keys(recordSchema.pipe[1].entries);
  expect(accepted.slice(0, sentFields.length)).toEqual(sentFields);
  expect(sentFields.slice(0, 3)).toEqual(identityKinds);
});

it('each part of an address is an alias of one field', () => {
  expect(Object.fromEntries(addressParts.map(({ part, name }) => [part, name]))).toEqual({
    street: 'street',
    street2: 'street2',
    city: 'city',
    state: 'state',
    postal_code: 'zipcode',
    country: 'country',
  });
});
