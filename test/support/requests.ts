/** Requests of the API as the wrapper hands them to use cases, and their answers. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { ApiAnswer, ApiRequest, ApiUser, PublicRequest } from '../../shared/http/api-types.ts';
import { allPermissions } from '../../shared/http/permissions.ts';
import type { Problem } from '../../shared/http/problem.ts';
import type { Result } from '../../shared/runtime/result.ts';

/** The user of requests. */
export const ada: ApiUser = { id: 1, email: 'ada@example.test', first_name: 'Ada', last_name: 'L' };

/** What a request differs in from other requests. */
type Asked<Query, Body> = Partial<Omit<ApiRequest<Query, Body>, 'property' | 'query' | 'body'>> & {
  readonly property: number;
  readonly query: Query;
  readonly body: Body;
};

/** A request of a user of a property. */
export const requestOf = <Query, Body>({
  property,
  ...asked
}: Asked<Query, Body>): ApiRequest<Query, Body> => ({
  ...{ requestId: 'r', now: 0, user: ada, permissions: allPermissions, path: {}, requestKey: randomUUID() },
  ...asked,
  property: { id: property, account: 1 },
});

/** A request to a route without authentication. */
export const publicRequestOf = (asked: Partial<PublicRequest>): PublicRequest => ({
  ...{ requestId: 'r', now: 0, sourceIp: '192.0.2.1', method: 'GET', rawPath: '', rawQuery: '' },
  ...{ headers: {}, path: {}, body: new Uint8Array() },
  ...asked,
});

/** The answer of a request that must succeed, checked against the schema of the route. */
export const answered = async <S extends v.GenericSchema>(
  answering: Result<ApiAnswer, Problem> | Promise<Result<ApiAnswer, Problem>>,
  schema: S,
): Promise<v.InferOutput<S>> => {
  const answer = await answering;
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return v.parse(schema, answer.value.body);
};
