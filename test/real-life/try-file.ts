import type { ImportBody } from '../../shared/imports/schemas/definition-schemas.ts';
import type { ResolvedProfile } from '../../shared/profiles/types.ts';
import { importHarness, type ImportHarness, ranFile } from '../imports/import-harness.ts';

/** The fields of columns that a request of `inspect` names. */
type Targets = Readonly<Record<string, string | null>>;

/**
 * How a file is tried: its name, the fields of columns that the request names, changes of the suggested definition, and the
 * service that has earlier people.
 */
interface Trial {
  readonly name?: string;
  readonly targets?: Targets;
  readonly change?: Partial<ImportBody>;
  readonly harness?: ImportHarness;
}

/** What the service says of the first bytes of a file. */
export const inspectFile = (
  file: Buffer | string,
  harness = importHarness(),
  targets: Targets = {},
  definition?: Partial<ImportBody>,
) => harness.inspect(file, { targets, ...(definition && { definition }) });

/**
 * Tries a file as people do: they inspect it, take the suggested definition, import the file, and look at the people.
 * `stored` has the profiles in the order in which they were made, `said` what they have stated about consent, and `saw` the
 * doubts in words.
 */
export const tryFile = async (
  file: Buffer | string,
  { name = 'people.csv', targets = {}, change = {}, harness = importHarness() }: Trial = {},
) => {
  const inspected = await inspectFile(file, harness, targets);
  const { definition, doubts } = inspected.suggestion;
  const tried = { inspected, doubts, saw: doubts.map(({ saw }) => saw), harness };
  if (!definition) return { ...tried, job: undefined, stored: [], said: [], errors: [], warnings: [] };
  const { job, errors, warnings } = await ranFile(file, { ...definition, ...change }, name, harness);
  const stored = await harness.stored();
  return { ...tried, job, stored, said: stored.map(saidBy), errors, warnings };
};

/** What a person has said about each channel. */
const saidBy = ({ consent }: ResolvedProfile): string =>
  consent.map(({ channel, state }) => `${channel} ${state}`).join();

/** A file of e-mail addresses: `header` names them and the other columns, and each row is what stands behind its address. */
export const peopleFile = (header: string, rows: readonly string[], domain = 'example.org'): string => {
  const [delimiter = ''] = /[,;]/u.exec(header) ?? [];
  return [header, ...rows.map((row, index) => `p${index}@${domain}${delimiter}${row}`), ''].join('\n');
};

/** Tries a file of addresses and consent. */
export const tryConsent = (header: string, rows: readonly string[], targets: Targets = {}) =>
  tryFile(peopleFile(`Email,${header}`, rows), { targets });
