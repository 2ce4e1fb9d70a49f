/** Doubts of parts: columns of streets that have the whole address, and columns that have only a part of a name or a street. */
import { readCountry } from '../../mapping/read-countries.ts';
import { type Doubt, doubtsAbout } from '../doubt.ts';
import { columnAt } from './identity-facts.ts';
import type { PlacedColumn } from './place-columns.ts';
import { nameKey } from './column-names.ts';
import { keysOf } from './words.ts';
import { allOf } from '../../../runtime/shortened.ts';

/** The share of cells that must be whole addresses. */
const MOST = 0.5;

/** So many lines are more than a street and its second line. */
const LINES = 3;

/** Postal codes, also those of letters and digits: `45402`, `1011 AB`, `YO1 1AB`, `K1A 0B1`. A number of four digits is one. */
const postalCode =
  /(?:^|[\s-])(?:\d{4,6}|\d{3} \d{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?!\w)/u;

/** A part of a house or a box, whose number is no postal code. */
const unit =
  /^(?:suite|ste|apt|apartment|unit|flat|room|floor|bldg|building|lot|p\.? ?o\.? box|box|postfach|top|whg|wohnung|apto|piso|bp|cs)\b/iu;

const isWhole = (cell: string): boolean => {
  const parts = cell.split(/[\n\r,;]/u).flatMap((part) => part.trim() || []);
  const lines = cell.split(/[\n\r]/u).filter((line) => line.trim() !== '');
  const others = parts.slice(1);
  return (
    lines.length >= LINES ||
    others.some((part) => !unit.test(part.trim()) && postalCode.test(part)) ||
    (others.length > 1 && readCountry(others.at(-1) ?? '') !== undefined)
  );
};

/** The parts of an address that nothing tells where no column has them. */
const parts = { city: 'city', zipcode: 'postal code', country: 'country' } as const;

/** The doubt about a column that is taken as the street and has whole addresses, in a file without another place. */
export const doubtsOfWholeAddresses = (columns: readonly PlacedColumn[]): readonly Doubt[] => {
  const fills = (target: string): boolean => columnAt(columns, target) !== undefined;
  const street = columnAt(columns, 'street');
  if (!street || fills('city') || fills('zipcode')) return [];
  const whole = street.values.filter(isWhole);
  if (whole.length <= MOST * street.values.length) return [];
  const missing = Object.entries(parts).flatMap(([target, noun]) => (fills(target) ? [] : [`no ${noun}`]));
  const does = `Stores the whole text as the street: ${allOf(missing, 'and')} is known of these people, and no segment of a place has them. Give each part a column of its own in the file.`;
  const saw = 'Whole addresses in one cell: they have several lines, a postal code or a country.';
  return doubtsAbout(street.name, whole, { saw, does });
};

const ownColumns: readonly {
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
export const doubtsOfParts = (columns: readonly PlacedColumn[]): readonly Doubt[] =>
  columns.flatMap(({ name, values, kind }) => {
    const part = ownColumns.find(({ names }) => names.has(nameKey(name)));
    if (!part || !columnAt(columns, part.of) || kind !== 'kept') return [];
    const does = `The ${part.whole} is stored without them, and they go into extra data. Join the columns in the file to keep them together.`;
    return doubtsAbout(name, values, { saw: part.saw, does });
  });
