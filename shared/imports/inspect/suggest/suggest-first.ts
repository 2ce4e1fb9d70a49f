/** Suggest first: the first of several values in a cell of a field that has one, and the address beside a name. */
import { isEmail } from '../../../http/text.ts';
import { doubtsAbout } from '../doubt.ts';
import type { Advice, ColumnValues } from './advice.ts';
import { mailboxIn } from '../../mapping/read-mailboxes.ts';

const isAddress = (text: string): boolean => isEmail(text.trim().toLowerCase());

/** Whether a text has as many digits as a telephone number with its area code. */
const isPhone = (text: string): boolean =>
  text.replace(/\D/gu, '').length >= 8 && /^[-+()\d\s./]+$/u.test(text.trim());

const partsOf = (text: string, separator: string): readonly string[] =>
  text.split(separator).filter((part) => part.trim() !== '');

/** The separators of a target, and how they are recognised between values. */
interface Several {
  readonly separators: readonly string[];
  readonly isBetween: (parts: readonly string[]) => boolean;
}

const google: Several = { separators: [' ::: '], isBetween: (parts) => parts.length > 1 };

const severalIn: Readonly<Partial<Record<string, Several>>> = {
  email: {
    separators: [' ::: ', '\n', ';', ',', '|', '/', ' '],
    isBetween: (parts) => parts.length > 1 && parts.every(isAddress),
  },
  phone_number: {
    separators: [' ::: ', '\n', ';', ',', '|', ' / '],
    isBetween: ([first = '', ...others]) =>
      others.length > 0 && isPhone(first) && others.every((part) => /\d/u.test(part)),
  },
  ...Object.fromEntries(
    ['first_name', 'last_name', 'full_name'].map((name) => [
      name,
      { ...google, separators: [' ::: ', '\n'] },
    ]),
  ),
  ...Object.fromEntries(
    ['birthday', 'street', 'street2', 'city', 'state', 'zipcode', 'country'].map((name) => [name, google]),
  ),
};

/** Takes the first of several values, if the cells of a field with one value have several. */
export const suggestFirst = ({
  name,
  values,
  target,
}: Pick<ColumnValues, 'name' | 'values' | 'target'>): Advice | undefined => {
  const several = severalIn[target];
  if (!several) return undefined;
  const hasSeveral = (value: string, separator: string): boolean =>
    several.isBetween(partsOf(value, separator));
  const found = several.separators.filter(
    (separator) =>
      values.some((value) => hasSeveral(value, separator)) &&
      // A separator that also stands within one value would cut it.
      values.every((value) => !value.includes(separator) || hasSeveral(value, separator)),
  );
  // One separator may stand within another, as a space behind a semicolon does.
  const separators = found.filter((one) => one !== ' ' || found.length === 1);
  if (separators.length === 0) return undefined;
  const cells = values.filter((value) => separators.some((separator) => hasSeveral(value, separator)));
  return {
    options: { transformations: separators.map((separator) => ({ name: 'first', separator })) },
    why: [`${cells.length} of ${values.length} cells have several values, of which the first is taken.`],
    doubts: doubtsAbout(name, cells, {
      saw: 'Several values in a cell of a field that has one.',
      does: 'The first is stored, and the others are left out.',
    }),
  };
};

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
    doubts: doubtsAbout(name, found, {
      saw: 'Names, brackets or `mailto:` around e-mail addresses.',
      does: 'The address alone is stored. A name beside it is not stored.',
    }),
  };
};
