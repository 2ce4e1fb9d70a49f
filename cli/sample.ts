/**
 * A sample file like those of real sources: quoted cells with quotes and line breaks, accents, repeated people, and some
 * invalid rows. A seed makes every call produce the same file.
 */
import type { FieldMap, ImportInput } from '../client/src/index.ts';
import { generator, pick } from './random.ts';

/** The expected results of an import of the sample. */
export interface Planted {
  readonly rows: number;
  /** Invalid rows: wrong e-mail, impossible birthday, or cut off before the e-mail. */
  readonly refused: number;
  /** People with at least one valid row. */
  readonly people: number;
  /** A tag, and the number of people with this tag in a valid row. */
  readonly tag: string;
  readonly tagged: number;
}

export interface Sample {
  readonly csv: string;
  readonly planted: Planted;
  /** Identity of a person with a valid row, for a look-up. */
  readonly email: string;
}

/** The import definition for the sample's columns. */
export const sampleDefinition: ImportInput = {
  name: 'Spring fair visitors',
  mapping_fields: {
    required_fields: ['unique_id', 'email'],
    field_maps: [
      field('Visitor', 'unique_id', 'strip'),
      field('E-mail', 'email', 'strip', 'lower'),
      field('First name', 'first_name', 'strip'),
      field('Last name', 'last_name', 'strip'),
      field('Born', 'birthday', 'strip', 'date'),
      field('Gender', 'gender'),
      field('Street', 'address.street'),
      field('City', 'address.city'),
      field('State', 'address.state'),
      field('Country', 'address.country'),
      field('Children', 'has_children'),
      field('Interests', 'tags'),
      field('Seen at', 'source'),
      field('Notes', 'extra_data.notes'),
    ],
  },
};

function field(
  name: string,
  target_field: string,
  ...transformations: readonly ('strip' | 'lower' | 'date')[]
): FieldMap {
  return {
    sources: [{ type: 'source_field', name }],
    ...(transformations.length > 0
      ? { transformations: transformations.map((each) => ({ name: each })) }
      : {}),
    target_field,
  };
}

const TAG = 'jazz';
const GIVEN = [
  'Zoë',
  'Łucja',
  'José',
  'Anaïs',
  'Björn',
  'Chloé',
  'Ingrid',
  'Noor',
  'Óscar',
  'Renée',
  'Søren',
  'Wanda',
];
const FAMILY = [
  "O'Neill",
  'Müller',
  'García',
  'Nowak',
  'Lefèvre',
  'Åkesson',
  'Ito',
  'da Silva',
  'Škoda',
  'Quinn',
];
const PLACES = [
  ['Austin', 'TX', 'US'],
  ['Montréal', 'QC', 'CA'],
  ['Kraków', '', 'PL'],
  ['Malmö', '', 'SE'],
  ['Oakland', 'CA', 'US'],
] as const;
const INTERESTS = [TAG, 'opera', 'hip-hop', 'football', 'food & wine', 'kids “indoor”', 'theatre'];
const SOURCES = ['ticketing', 'shop', 'ticketing,newsletter', 'fair'];
const NOTES = [
  'said "see you next year"',
  'two tickets,\r\nrow 7',
  'prefers 12,5 % off',
  'wheelchair; aisle seat',
  '',
  '',
];
const SHARE_OF_REPEATS = 0.2;
const SHARE_OF_BAD_ROWS = 0.01;

/** Generates a sample with `rows` data rows. */
export const makeSample = (rows: number, seed = 7): Sample => {
  const random = generator(seed);
  const tagged = new Set<number>();
  const lines = [
    sampleDefinition.mapping_fields.field_maps.flatMap(({ sources }) =>
      sources.flatMap((source) => (source.type === 'source_field' ? [source.name] : [])),
    ),
  ];
  let people = 0;
  let refused = 0;
  for (let row = 0; row < rows; row += 1) {
    const repeat = people > 0 && random() < SHARE_OF_REPEATS;
    if (!repeat && random() < SHARE_OF_BAD_ROWS) {
      lines.push(badRow(random, rows + refused));
      refused += 1;
      continue;
    }
    const person = repeat ? Math.floor(random() * people) : people++;
    const interests = INTERESTS.filter(() => random() < 0.25);
    if (interests.includes(TAG)) tagged.add(person);
    lines.push(goodRow(random, person, interests));
  }
  return {
    csv: lines.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join(''),
    planted: { rows, refused, people, tag: TAG, tagged: tagged.size },
    email: emailOf(0),
  };
};

const emailOf = (person: number): string => `visitor.${person}@example.org`;

const goodRow = (random: () => number, person: number, interests: readonly string[]): string[] => {
  const [city, state, country] = pick(random, PLACES);
  const email = random() < 0.1 ? ` ${emailOf(person).toUpperCase()} ` : emailOf(person);
  const born = `${1940 + (person % 70)}-0${1 + (person % 9)}-1${person % 10}`;
  return [
    `V-${person.toString().padStart(7, '0')}`,
    email,
    pick(random, GIVEN),
    pick(random, FAMILY),
    born,
    pick(random, ['female', 'male', '']),
    `${1 + (person % 200)} Harbour "Old" Road`,
    city,
    state,
    country,
    pick(random, ['yes', 'No', '']),
    interests.join(';'),
    pick(random, SOURCES),
    pick(random, NOTES),
  ];
};

/** Each breaks one rule. None belongs to a person with a valid row. */
const badRow = (random: () => number, person: number): string[] => {
  const cells = goodRow(random, person, []);
  const kind = pick(random, ['e-mail', 'birthday', 'cut off'] as const);
  if (kind === 'cut off') return cells.slice(0, 1);
  if (kind === 'e-mail') return cells.with(1, 'somebody(at)example.org');
  return cells.with(4, '2021-02-30');
};

const quoted = (cell: string): string => (/["\r\n,]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
