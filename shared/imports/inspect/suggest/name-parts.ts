/** Name parts: columns that cut a last name or a street in two, of which the fields of a record have one. */
import { type Doubt, doubtAbout } from '../doubt.ts';
import { nameKey } from './column-names.ts';
import type { FileColumn } from './file-column.ts';
import type { Place } from './place-columns.ts';
import { keysOf } from './suggest-words.ts';

const parts: readonly {
  readonly names: ReadonlySet<string>;
  readonly of: string;
  readonly saw: string;
  readonly whole: string;
}[] = [
  {
    names: new Set(keysOf('tussenvoegsel')),
    of: 'last_name',
    saw: 'The prefixes of last names, in a column of their own.',
    whole: 'last name',
  },
  {
    names: new Set(keysOf('huisnummer, huisnr, hausnummer, hausnr, house number, hazszam')),
    of: 'street',
    saw: 'The numbers of houses, in a column of their own.',
    whole: 'street',
  },
];

/** The doubts about columns that have a part of a field, which is stored without it. */
export const doubtsOfParts = (columns: readonly FileColumn[], places: readonly Place[]): readonly Doubt[] =>
  columns.flatMap(({ name, values, index }) => {
    const part = parts.find(({ names }) => names.has(nameKey(name)));
    const isFilled = places.some(({ target }) => target === part?.of);
    if (!part || !isFilled || values.length === 0 || places[index]?.kind !== 'kept') return [];
    const does = `The ${part.whole} is stored without them, and they go into extra data. Join the columns in the file to keep them together.`;
    return [doubtAbout(name, values, { saw: part.saw, does })];
  });
