import { describe, expect, it } from 'vitest';
import {
  placesInAuditLog,
  placesInCredentials,
  placesInData,
  placesInRates,
} from '../../shared/properties/places/places-of-keys.ts';
import { auditKeys, rateKeys } from '../../shared/table/request-keys.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { itemsOfProperty, itemsOfService } from '../table/sample-keys.ts';

/** Members that make no key of their own: parts of keys, and partitions of lists. */
const partsOfKeys = ['accountProperties', 'accountUsers', 'userTokens', 'logs', 'forgettings', 'objections'];

describe('the places of items', () => {
  it('are known for every kind of item in the table of data', () => {
    const kinds = [...Object.keys(itemsOfProperty(1)), ...Object.keys(itemsOfService)];
    expect(Object.keys(placesInData).toSorted()).toEqual(kinds.toSorted());
  });

  it.each([
    ['credentials', credentialKeys, placesInCredentials],
    ['audit log', auditKeys, placesInAuditLog],
    ['rates', rateKeys, placesInRates],
  ])('are known for every kind of item in the table of %s', (_, keys, places) => {
    const kinds = Object.keys(keys).filter((name) => !partsOfKeys.includes(name));
    expect(Object.keys(places).toSorted()).toEqual(kinds.toSorted());
  });
});
