/** Request input: reads the body and the query of a request and checks them by the schemas of its route. */
import * as v from 'valibot';
import type { BodyRule } from '../http/body-rule.ts';
import { type BodyForm, readBody } from '../http/body.ts';
import { isObject } from '../http/json.ts';
import { problems, type Problem } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { allFaults, check } from '../http/schema-faults.ts';
import { textFaults } from '../http/text.ts';
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
