/** Names: the rules of names of definitions, jobs, batches and files. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { oneLine } from '../../http/text.ts';
import { isBlank } from '../../runtime/visible-text.ts';

/** A plain file name, without a path and without control characters, because answers return it unchanged. */
export const fileName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(limits.imports.nameLength),
  v.check((text) => !/[/\\\p{Cc}]/u.test(text) && !/^\.*$/.test(text), 'Must be a plain file name.'),
);

/** The name of a definition, a job or a batch. */
export const importName = v.pipe(
  v.string(),
  v.maxLength(limits.imports.nameLength),
  v.check((text) => !isBlank(text), 'Must not be blank.'),
  oneLine,
);
