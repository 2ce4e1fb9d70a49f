/**
 * Suggest phones: the country of telephone numbers without a country code. What the rows say about their country comes
 * first. Where they say nothing, the numbers must fit one country better than all others, or the file must prove one of those that
 * fit best: a wrong number is worse than none.
 */
import { numbersIn, phoneText } from '../../mapping/phone-text.ts';
import { type Home, homeOf, nowhere, readPhone } from '../../mapping/read-phones.ts';
import { type Doubt, doubtsAbout } from '../doubt.ts';
import { type Advice, type ColumnValues, dropped } from './advice.ts';
import { clearestCountry, type Count, isUnclear } from './phone-candidates.ts';
import { firstOf } from '../../../runtime/shortened.ts';

const isRead = (value: string, home: Home): boolean => typeof readPhone(value, () => home) === 'string';

const hasSeveral = (value: string): boolean => {
  const numbers = numbersIn(phoneText(value));
  return typeof numbers !== 'string' && numbers.length > 1;
};

/** `phone`, with a country if one is clear. Without one, numbers without a country code are dropped with a warning. */
export const suggestPhone = (column: ColumnValues): Advice => {
  const sorted = sortNumbers(column);
  const { country, ofRow, guessed } = sorted;
  return {
    options: {
      transformations: [{ name: 'phone', ...(country !== undefined && { country }) }],
      on_bad_value: 'drop_cell',
    },
    why: [
      whatIsRead(column.values.length, sorted),
      ...(ofRow.length > 0
        ? [`${ofRow.length} of them have no country code and count as numbers of the country of their row.`]
        : []),
      ...(guessed.length > 0 ? [`Numbers without a country code count as numbers of ${country ?? ''}.`] : []),
      dropped,
    ],
    doubts: doubtsOf(column, sorted),
  };
};

/** Sorts the values of a column by how their country is known. */
const sortNumbers = ({ values, origin, rowCountries = [] }: ColumnValues) => {
  const cells = values.map((value, index) => {
    const home = homeOf(rowCountries[index] ?? '', undefined);
    return { value, home, isComplete: isRead(value, nowhere) };
  });
  const local = cells.filter(({ isComplete }) => !isComplete);
  const ofRow = local.filter(({ value, home }) => 'country' in home && isRead(value, home));
  // A row whose country is not known is never read with another one.
  const judged = local.filter(({ home }) => home === nowhere).map(({ value }) => value);
  const { country, counts, equal } = clearestCountry(judged, origin);
  const guessed = country === undefined ? [] : judged.filter((value) => isRead(value, homeOf('', country)));
  const known = new Set(guessed);
  const isLost = (cell: (typeof cells)[number]): boolean =>
    !ofRow.includes(cell) && (cell.home !== nowhere || !known.has(cell.value));
  return {
    country,
    counts: listed(counts),
    fitting: howWell(equal),
    isTie: country === undefined && equal.length > 0,
    ofRow,
    judged,
    guessed,
    read: cells.filter((cell) => cell.isComplete || !isLost(cell)).map(({ value }) => value),
    lost: local.filter(isLost).map(({ value }) => value),
  };
};

type Sorted = ReturnType<typeof sortNumbers>;

const MOST_SHOWN = 4;

const listed = (counts: readonly Count[]): string =>
  firstOf(counts, MOST_SHOWN, ({ country, count }) => `${country} (${count})`);

const howWell = (equal: readonly Count[]): string => {
  const best = equal.filter(({ count }) => count === equal[0]?.count);
  return best.length > 1 ? `equally: ${listed(best)}` : `almost equally: ${listed(equal)}`;
};

/** Numbers that fit several countries are telephone numbers, too, although none of them is read. */
const whatIsRead = (cells: number, { isTie, read }: Sorted): string => {
  if (!isTie) return `${read.length} of ${cells} cells are telephone numbers.`;
  return read.length === 0
    ? `None of ${cells} cells has a country code.`
    : `${read.length} of ${cells} cells are telephone numbers of a known country.`;
};

const doubtsOf = (
  { name, origin }: ColumnValues,
  { country, counts, fitting, isTie, judged, guessed, read, lost }: Sorted,
): readonly Doubt[] => {
  const hint =
    origin?.column === undefined
      ? ''
      : ` The column ${JSON.stringify(origin.column)} seems to hold the countries of the rows: map it to country if it does.`;
  const unclear = judged.filter(isUnclear);
  const severals = read.filter(hasSeveral);
  const doubts: readonly (readonly [readonly string[], string, string])[] = [
    [
      guessed,
      `Telephone numbers without a country code, in rows without a country. Countries that read most of them: ${counts}.`,
      `Stores them as numbers of ${country ?? ''}. Change the country of the transformation phone if they are of another.${hint}`,
    ],
    [
      isTie ? judged : [],
      `Telephone numbers without a country code that fit several countries ${fitting}.`,
      `Drops these cells with a warning. Set the country of the transformation phone, or map a column of countries.${hint}`,
    ],
    [
      isTie ? [] : lost,
      'Texts that are not one telephone number of a known country.',
      'Drops these cells with a warning.',
    ],
    [
      unclear,
      'Digits without + that could begin with a country code.',
      'Reads none of them as if its + were missing. Write the + in the file if it is.',
    ],
    [severals, 'Several telephone numbers in one cell.', 'Stores the first number of each cell.'],
  ];
  return doubts.flatMap(([seen, saw, does]) => doubtsAbout(name, seen, { saw, does }));
};
