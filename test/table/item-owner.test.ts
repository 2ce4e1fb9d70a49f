import { describe, expect, it } from 'vitest';
import { propertyOfItem } from '../../shared/table/item-owner.ts';
import { keys } from '../../shared/table/keys.ts';
import { earlierListsOf, itemsOfProperty, itemsOfService, otherMembers } from './sample-keys.ts';

/** Properties whose numbers share a prefix. */
const properties = [1_001, 1_001_001];
const scanned = (property: number) =>
  Object.entries({ ...itemsOfProperty(property), ...earlierListsOf(property) }).map(
    ([name, [key, attributes]]) => [name, property, { ...key, ...attributes }] as const,
  );

describe('the owner of an item', () => {
  it('is known for every key there is', () => {
    const sampled = [...Object.keys(itemsOfProperty(1)), ...Object.keys(itemsOfService), ...otherMembers];
    expect(sampled.toSorted()).toEqual(Object.keys(keys).toSorted());
  });

  it.each(properties.flatMap(scanned))('is the property: %s of %d', (_, property, item) => {
    expect(propertyOfItem(item)).toBe(property);
  });

  it.each(Object.entries(itemsOfService))('is the service: %s', (_, [key]) => {
    expect(propertyOfItem(key)).toBeUndefined();
  });
});
