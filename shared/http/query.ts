import type { GenericSchema } from 'valibot';
import { ok, err, type Result } from '../runtime/result.ts';
import { problems, type Problem } from './problem.ts';
import { check } from './schema-faults.ts';
import { isCleanText } from './text.ts';

/**
 * Reads a query string. A raw `+` is a plus sign, not a space. 400 for a repeated or empty name, a name without `=`, bad
 * percent-encoding and control characters. The schema decides which names and values are allowed.
 */
export const parseQuery = (raw: string): Result<Readonly<Record<string, string>>, Problem> => {
  const found = new Map<string, string>();
  for (const pair of raw === '' ? [] : raw.split('&')) {
    const cut = pair.indexOf('=');
    const [name, value] = cut < 1 ? [] : [decode(pair.slice(0, cut)), decode(pair.slice(cut + 1))];
    if (name === undefined || value === undefined) {
      return err(
        problems.badRequest('The query is malformed: name=value pairs, percent-encoded, are expected.'),
      );
    }
    if (found.has(name)) return err(problems.badRequest('The query names a parameter twice.'));
    found.set(name, value);
  }
  return ok(Object.fromEntries(found));
};

/** Reads a query string by the schema of its route: 400 for a query that is malformed or breaks the schema. */
export const readQuery = <Query>(
  schema: GenericSchema<unknown, Query>,
  raw: string,
): Result<Query, Problem> => {
  const query = parseQuery(raw);
  if (!query.ok) return query;
  const checked = check(schema, query.value);
  return checked.ok
    ? ok(checked.value)
    : err(problems.badRequest('The query has unknown or malformed parameters.', checked.faults));
};

const decode = (text: string): string | undefined => {
  try {
    const decoded = decodeURIComponent(text);
    return isCleanText(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
};
