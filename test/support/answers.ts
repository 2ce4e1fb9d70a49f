import { expect } from 'vitest';
import * as v from 'valibot';
import type { GatewayAnswer } from '../../shared/http/answer.ts';

/** The JSON object in an answer. */
export const jsonOf = ({ body }: GatewayAnswer): Readonly<Record<string, unknown>> =>
  v.parse(v.record(v.string(), v.unknown()), JSON.parse(body));

/** Status and `error` of an answer in the form of RFC 6749. */
export const oauthOf = (answer: GatewayAnswer): readonly unknown[] => [
  answer.statusCode,
  jsonOf(answer)['error'],
];

/** Status and problem of an answer, which must be `application/problem+json`. */
export const problemOf = (answer: GatewayAnswer): Readonly<Record<string, unknown>> => {
  expect(answer.headers['content-type']).toBe('application/problem+json');
  return { ...jsonOf(answer), status: answer.statusCode };
};

/** The outcome of a use case that refuses a token without `people.read`. */
export const needsPeopleRead = {
  ok: false,
  error: {
    status: 403,
    code: 'not_permitted',
    detail: 'The token may not do this: it needs the permission people.read.',
  },
};

/** Matches any text. */
export const anyText: unknown = expect.any(String);

export { textLike } from '../../local/test/support/text-like.ts';
