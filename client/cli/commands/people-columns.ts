/** The columns in which people are listed. */
import type { Item } from '../../src/index.ts';

const fields = ['first_name', 'last_name', 'email', 'unique_id', 'phone_number', 'city'] as const;

/** The columns of a table of people. */
export const peopleColumns = fields.map((heading) => ({
  heading,
  least: 8,
  cell: (person: Pick<Item<'listSegmentProfiles'>, (typeof fields)[number]>) => person[heading] ?? '',
}));
