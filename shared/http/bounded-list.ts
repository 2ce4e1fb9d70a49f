import * as v from 'valibot';

/**
 * A list of at most `most` elements. The length is checked before the elements, so that a huge list costs nothing; the
 * second check shows the bound beside the elements in the API document.
 */
export const listUpTo = <const Item extends v.GenericSchema>(most: number, item: Item) =>
  v.pipe(v.array(v.unknown()), v.maxLength(most), v.array(item), v.maxLength(most));

/** A list of 1 to `most` elements, checked as in `listUpTo`. */
export const fullListUpTo = <const Item extends v.GenericSchema>(most: number, item: Item) =>
  v.pipe(
    v.array(v.unknown()),
    v.minLength(1),
    v.maxLength(most),
    v.array(item),
    v.minLength(1),
    v.maxLength(most),
  );
