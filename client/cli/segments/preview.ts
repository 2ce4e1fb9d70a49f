/** Counts the people of an expression before it becomes a segment. */
import type { Answer, RuleFindings } from '../../src/index.ts';
import type { Connected } from '../context.ts';
import { spanOps } from '../expression/operators.ts';
import { printField } from '../expression/print-where.ts';
import { OWN } from '../expression/where.ts';
import { CommandFailure } from '../failure.ts';
import { conditionFields } from '../fields.ts';
import { onProblem } from '../problems.ts';
import { count, counted, plain } from '../terminal/text.ts';
import type { Definition } from './definition.ts';
import { nearest } from './nearest.ts';

type Preview = Answer<'previewSegment'>;

/**
 * Counts the people of a definition: exactly, or by a sample where it has conditions. Throws a failure if nobody of those who
 * were read has a key of the extra data, and a similar key is known: mostly, it is misspelt.
 */
export const previewOf = async (context: Connected, definition: Definition): Promise<Preview> => {
  const preview = await context.client.previewSegment({ body: { definition } });
  await requireKnownKeys(context, preview);
  return preview;
};

/** Counts the people of new conditions, before the service begins to prepare them. */
export const tellPreview = async (context: Connected, definition: Definition): Promise<void> =>
  context.note(...previewLines(await previewOf(context, definition)));

/** The number of people in words, and what the conditions could not read of how many. */
export const previewLines = ({ count: exact = 0, estimate, conditions = [] }: Preview): readonly string[] => {
  if (estimate === undefined) return [`${counted(exact, 'person', 'people')}.`];
  const { count: about, low, high, profiles_read } = estimate;
  const people = counted(about, 'person', 'people');
  const read = peopleRead(profiles_read);
  return [
    low === high ? `${people}.` : `About ${people} (${count(low)} to ${count(high)}), by ${read}.`,
    ...conditions.flatMap((rule) => findings(rule, read)),
  ];
};

const peopleRead = (read: number): string => `${counted(read, 'person', 'people')} read`;

const findings = ({ where, with_value, unreadable }: RuleFindings, read: string): readonly string[] => {
  const field = plain(printField(where.field));
  if (with_value === 0) return [`Nobody of ${read} has ${field}.`];
  return unreadable === 0
    ? []
    : [`${field} has ${unreadableText(where)} in ${count(unreadable)} of ${read}.`];
};

/** What an operator cannot read. */
const unreadableText = (where: RuleFindings['where']): string => {
  if (where.op === 'exists') return 'a value that cannot be read';
  const [value] = [where.value].flat();
  return typeof value === 'number' && !spanOps.has(where.op)
    ? 'text that is no number'
    : 'a value that is no day';
};

/** The lines about fields that nobody has. Throws a failure for a key that is mostly misspelt. */
export const missingKeys = async (context: Connected, preview: Preview): Promise<readonly string[]> => {
  await requireKnownKeys(context, preview);
  const { conditions = [], estimate } = preview;
  const missing = conditions.filter(({ with_value }) => with_value === 0);
  return missing.flatMap((rule) => findings(rule, peopleRead(estimate?.profiles_read ?? 0)));
};

const requireKnownKeys = async (
  context: Connected,
  { conditions = [], estimate }: Preview,
): Promise<void> => {
  const missing = conditions.flatMap(({ where: { field }, with_value }) =>
    with_value === 0 && typeof field === 'string' && field.startsWith(OWN) ? [field] : [],
  );
  if (missing.length === 0 || estimate === undefined || estimate.profiles_read === 0) return;
  const known = [...(await importedKeys(context)).map((key) => `${OWN}${key}`), ...conditionFields];
  for (const field of missing) {
    const near = nearest(field.slice(OWN.length), known.map(keyOf));
    const meant = known.filter((one) => near.includes(keyOf(one))).map((one) => plain(printField(one)));
    if (meant.length === 0 || known.includes(field)) continue;
    throw new CommandFailure(
      `Nobody of ${peopleRead(estimate.profiles_read)} has ${plain(printField(field))}. Did you mean ${meant.join(' or ')}?`,
    );
  }
};

const keyOf = (field: string): string => (field.startsWith(OWN) ? field.slice(OWN.length) : field);

/** The keys of the extra data that import definitions fill. A token may lack the permission to see them. */
const importedKeys = async ({ client }: Connected): Promise<readonly string[]> => {
  const imports = await onProblem(Array.fromAsync(client.listImports()), (problem) => {
    if (problem.code === 'not_permitted') return [];
    throw problem;
  });
  const targets = imports.flatMap(({ mapping_fields }) =>
    mapping_fields.field_maps.map(({ target_field }) => target_field),
  );
  return [...new Set(targets.filter((target) => target.startsWith(OWN)).map(keyOf))];
};
