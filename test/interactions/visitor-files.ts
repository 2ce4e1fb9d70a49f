import { definition } from '../imports/dry-run-scenes.ts';

/** The columns of every file here. */
export const columns = ['unique_id', 'email', 'first_name', 'tags'] as const;
/** Cells of a row, by their columns. */
export type Cells = Partial<Record<(typeof columns)[number], string>>;

/** A definition of these columns that lists these values. */
export const listing = (not_identities: readonly string[], more: object = {}) => ({
  ...definition,
  not_identities,
  ...more,
});

/** A file of these rows. */
export const fileOf = (...rows: readonly string[]): string => `${[columns.join(','), ...rows].join('\n')}\n`;

/** A file that has been sent. */
export interface SentFile {
  readonly importId: number;
  readonly job: number;
}
