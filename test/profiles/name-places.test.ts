/** Where the pointers of names are: the hashes of beginnings, which a process remembers. */
import { expect, it } from 'vitest';
import { keyedHash } from '../../shared/profiles/identity-claims.ts';
import { placeOfName } from '../../shared/profiles/name-places.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { scope } from './harness.ts';

const withSecret = (claims: Uint8Array): PropertyScope => ({ ...scope, keys: { ...scope.keys, claims } });
const one = withSecret(Uint8Array.from({ length: 32 }, () => 1));
const other = withSecret(Uint8Array.from({ length: 32 }, () => 2));

it('a place is made of keyed hashes of beginnings, at first and from memory', () => {
  const hash = (kind: string, beginning: string, characters: number) =>
    keyedHash(one, kind, beginning).slice(0, characters);
  const chain = ['noor', 'noord'].map((beginning) => hash('last_name', beginning, 2)).join('');
  const place = {
    head: hash('last_name', 'noo', 12),
    rest: `${chain}!${hash('city', 'noo', 3)}`,
  };
  for (let time = 0; time < 2; time += 1) expect(placeOfName(one, 'Noord', 'Noo')).toEqual(place);
});

it('two properties have no place of a name in common, though one process remembers both', () => {
  for (let time = 0; time < 2; time += 1) {
    const [own, foreign] = [placeOfName(one, 'Müller', 'Köln'), placeOfName(other, 'Müller', 'Köln')];
    expect(own?.head).not.toBe(foreign?.head);
    expect(own?.rest).not.toBe(foreign?.rest);
  }
});
