import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linkTo, routeOf, screens } from '../../console/src/address.ts';

it('a link leads to the place that it was made of', () => {
  const part = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== '');
  const query = fc.dictionary(part, fc.string({ unit: 'grapheme' }), { noNullPrototype: true });
  fc.assert(
    fc.property(fc.constantFrom(...screens), fc.array(part), query, (screen, parts, chosen) => {
      const route = routeOf(linkTo(screen, parts, chosen));
      expect({ ...route, query: Object.fromEntries(route.query) }).toEqual({ screen, parts, query: chosen });
    }),
  );
});

it.each(['', '#', '#/', '#/nowhere', '#/constructor', '#content'])('%j is home', (hash) => {
  expect(routeOf(hash)).toMatchObject({ screen: 'home', parts: [] });
});

it('a broken encoding stays as it is', () => {
  expect(routeOf('#/segments/%E0%A4').parts).toEqual(['%E0%A4']);
});
