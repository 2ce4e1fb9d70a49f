/** Request input: reads the body and the query of a request and checks them by the schemas of its route. */
import * as v from 'valibot';
import type { BodyRule } from '../http/body-rule.ts';
import { type BodyForm, readBody } from '../http/body.ts';
import { isObject } from '../http/json.ts';
import { problems, type Problem } from '../http/problem.ts';
import { allFaults, check } from '../http/schema-faults.ts';
import { isCleanText, textFaults } from '../http/text.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { bodyBytes, headersOf, type HttpEvent } from './event.ts';
import { isIdempotencyKey } from './idempotency.ts';
import { withoutReadOnly } from './read-only.ts';

/** The part of a manifest entry's trigger that describes the input of a route. */
export interface InputSchemas<Query, Body> {
  readonly method: string;
  readonly query?: v.GenericSchema<unknown, Query>;
  readonly body?: v.GenericSchema<unknown, Body>;
  readonly bodyForms?: readonly BodyForm[];
  readonly judgedApart?: string;
  readonly bodyRules?: readonly BodyRule[];
  readonly shownOnly?: readonly string[];
}

/**
 * Reads the query and the body: 413, 415 and 400 for the body's size, type and content, 400 for the query, 422 for the
 * body's schema, with the faults that the rules of the route find in the valid parts of the body.
 */
export const readInput = <Query, Body>(
  trigger: InputSchemas<Query, Body>,
  event: HttpEvent,
  now: number,
): Result<{ query: Query; body: Body }, Problem> => {
  const read = trigger.body ? bodyOf(event, trigger.bodyForms) : ok(undefined);
  if (!read.ok) return read;
  const key = headersOf(event)['idempotency-key'];
  if (trigger.method === 'POST' && key !== undefined && !isIdempotencyKey(key))
    return err(problems.badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters.'));
  const query = readQuery(
    trigger.query ?? v.custom<Query>(isEmpty, 'This route takes no query parameters.'),
    event.rawQueryString,
  );
  if (!query.ok) return query;
  const body = checkBody(trigger, read.value, now);
  return body.ok ? ok({ query: query.value, body: body.value }) : body;
};

const isEmpty = (query: unknown): boolean => isObject(query) && Object.keys(query).length === 0;

const bodyOf = (
  event: HttpEvent,
  forms: readonly BodyForm[] | undefined,
): Result<Readonly<Record<string, unknown>>, Problem> => {
  const bytes = bodyBytes(event);
  return bytes.ok ? readBody(headersOf(event)['content-type'], bytes.value, forms) : bytes;
};

const checkBody = <Body>(
  { body, judgedApart, shownOnly, bodyRules = [] }: InputSchemas<unknown, Body>,
  json: Readonly<Record<string, unknown>> | undefined,
  now: number,
): Result<Body, Problem> => {
  const sent = json && withoutReadOnly(json, shownOnly);
  const unclean = sent ? textFaults(sent, judgedApart) : [];
  const checked = check(body ?? v.custom<Body>((input) => input === undefined), sent);
  if (checked.ok && unclean.length === 0) return ok(checked.value);
  const bySchema = checked.ok ? [] : checked.faults;
  const byRules = bodyRules.flatMap((judge) => judge(sent, now));
  return err(problems.invalid(allFaults(unclean, [...bySchema, ...byRules])));
};

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
  schema: v.GenericSchema<unknown, Query>,
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
