/**
 * A file of visitors as German box offices have it: semicolons, Windows-1252, dates with times, decimal commas, several
 * interests in one cell, and cells that nobody can read. A seed makes every call produce the same file.
 */
import { generator, pick } from './random.ts';

const COLUMNS = [
  'Kundennr',
  'Anrede',
  'Vorname',
  'Nachname',
  'E-Mail',
  'Telefon',
  'Geburtsdatum',
  'Alter',
  'Straße',
  'PLZ',
  'Ort',
  'Land',
  'Kinder',
  'Umsatz',
  'Letzter Besuch',
  'Interessen',
  'Newsletter',
];

const GIVEN = ['Käthe', 'Jürgen', 'Søren', 'Zoë', 'Günther', 'Anaïs', 'Björn', 'Renée', 'Uwe', 'Mareike'];
const FAMILY = [
  'Müller',
  'Weiß',
  'Schröder',
  "O'Neill",
  'Lefèvre',
  'Jäger',
  'von der Heide',
  'Åkesson',
  'Groß',
];
const TOWNS = [
  ['10115', 'Berlin'],
  ['80331', 'München'],
  ['50667', 'Köln'],
  ['04109', 'Leipzig'],
  ['28195', 'Bremen'],
] as const;
const INTERESTS = [
  'Jazz',
  'Abo',
  'Klassik',
  'Neue Musik',
  'Presse',
  'Kammermusik',
  'Oper',
  'Familie',
  'Tanz',
  'Förderer',
];
/** Two of five have said yes, and one has said nothing. */
const NEWSLETTER = ['ja', 'nein', 'ja', '', 'nein'];
const REPEATED = 100;

/** A file with `people` visitors, and 100 of them again at the end. */
export const makeVisitors = (people = 5_000, seed = 1): Buffer => {
  const random = generator(seed);
  const rows = Array.from({ length: people }, (_, person) => rowOf(random, person));
  const again = Array.from({ length: Math.min(REPEATED, people) }, () => pick(random, rows));
  const text = [COLUMNS, ...rows, ...again].map((cells) => `${cells.join(';')}\r\n`).join('');
  // All characters above are in the part of Windows-1252 that is equal to ISO 8859-1.
  return Buffer.from(text, 'latin1');
};

const rowOf = (random: () => number, person: number): readonly string[] => {
  const [postcode, town] = pick(random, TOWNS);
  return [
    `K-${person.toString().padStart(5, '0')}`,
    pick(random, ['Frau', 'Herr', '']),
    pick(random, GIVEN),
    pick(random, FAMILY),
    emailOf(random, person),
    phoneOf(random, person),
    birthdayOf(random),
    ageOf(random),
    `Hafenstraße ${1 + whole(random, 200)}`,
    postcode,
    town,
    pick(random, ['Deutschland', 'DE', 'D']),
    pick(random, ['ja', 'nein', '']),
    amountOf(random),
    `${dayOf(random)}.${monthOf(random)}.2025 ${two(10 + whole(random, 12))}:30`,
    INTERESTS.filter(() => random() < 0.15).join('|'),
    NEWSLETTER[person % NEWSLETTER.length] ?? '',
  ];
};

const whole = (random: () => number, below: number): number => Math.floor(random() * below);
const two = (value: number): string => String(value).padStart(2, '0');
const dayOf = (random: () => number): string => two(1 + whole(random, 28));
const monthOf = (random: () => number): string => two(1 + whole(random, 12));

const emailOf = (random: () => number, person: number): string => {
  const address = `besucher.${person}@example.org`;
  const share = random();
  if (share < 0.06) return '';
  if (share < 0.07) return address.replace('@', ' (at) ');
  if (share < 0.08) return 'unbekannt';
  return share < 0.13 ? ` ${address.toUpperCase()}` : address;
};

const phoneOf = (random: () => number, person: number): string => {
  const digits = String(1_000_000 + person);
  const spellings = [
    `030 ${digits}`,
    `+49 30 ${digits}`,
    `004930${digits}`,
    `(030) ${digits.slice(0, 3)}-${digits.slice(3)}`,
    `030/${digits}`,
    `4930${digits}`,
    '',
  ];
  // A spreadsheet has turned some numbers into this.
  return random() < 0.01 ? '1,7E+10' : pick(random, spellings);
};

const birthdayOf = (random: () => number): string => {
  const year = 1940 + whole(random, 65);
  const share = random();
  if (share < 0.04) return '';
  if (share < 0.05) return '31.02.1980';
  if (share < 0.2) return `${dayOf(random)}.${monthOf(random)}.${two(year % 100)}`;
  return `${dayOf(random)}.${monthOf(random)}.${year}`;
};

const ageOf = (random: () => number): string => {
  const share = random();
  if (share < 0.4) return '';
  if (share < 0.41) return 'ca. 50';
  if (share < 0.415) return '-1';
  return share < 0.42 ? '999' : String(18 + whole(random, 70));
};

/** An amount with a comma, and with a point between the thousands. */
const amountOf = (random: () => number): string => {
  const euros = whole(random, 3_000);
  const shown =
    euros < 1_000 ? String(euros) : `${Math.floor(euros / 1_000)}.${String(euros % 1_000).padStart(3, '0')}`;
  return `${shown},${two(whole(random, 100))}`;
};
