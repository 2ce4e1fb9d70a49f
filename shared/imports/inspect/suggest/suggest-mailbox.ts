/** Suggest mailbox: takes the address out of cells that also hold a name. */
import { mailboxIn } from '../../mapping/read-mailboxes.ts';
import { doubtAbout } from '../doubt.ts';
import type { Advice, ColumnValues } from './advice.ts';

/** Takes addresses out of mailboxes, if a column of addresses has them. */
export const suggestMailbox = ({
  name,
  values,
  target,
}: Pick<ColumnValues, 'name' | 'values' | 'target'>): Advice | undefined => {
  if (target !== 'email') return undefined;
  const found = values.filter((value) => mailboxIn(value) !== undefined);
  if (found.length === 0) return undefined;
  return {
    options: { transformations: [{ name: 'mailbox' }] },
    why: [`${found.length} of ${values.length} cells have a name, brackets or mailto: around the address.`],
    doubts: [
      doubtAbout(name, found, {
        saw: 'Names, brackets or `mailto:` around e-mail addresses.',
        does: 'The address alone is stored. A name beside it is not stored.',
      }),
    ],
  };
};
