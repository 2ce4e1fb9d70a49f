import * as v from 'valibot';
import { shownAs } from './described.ts';

/**
 * An optional choice with a default. An empty text counts as absent, as forms send it; the API document shows the
 * choices only.
 */
export const choice = <const Option extends string>(options: readonly Option[], otherwise: Option) =>
  v.optional(
    v.pipe(
      v.picklist(['', ...options]),
      v.transform((chosen) => options.find((option) => option === chosen) ?? otherwise),
      shownAs(v.picklist(options)),
    ),
    otherwise,
  );
