import { writeProblem } from '../http/answer.ts';
import type { PublicUseCase } from '../http/api-types.ts';
import { bodyBytes, headersOf, pathOf } from './event.ts';
import { httpHandler, systemSurroundings, type HttpHandler, type WriteFailure } from './lambda.ts';
import { err, ok } from '../runtime/result.ts';

/** What the wrapper reads of a manifest entry without authentication. */
export interface PublicRoute {
  readonly trigger: {
    readonly method: string;
    readonly path: string;
    readonly auth: 'none';
    readonly body?: unknown;
  };
}

/**
 * The Lambda handler of a route without authentication. `build` runs once, at the first request. The use case reads
 * query and body itself; a body over the limit is 413, one that the route does not take is ignored.
 */
export const publicHandler = (
  { trigger }: PublicRoute,
  build: () => PublicUseCase,
  around = systemSurroundings,
  failure: WriteFailure = writeProblem,
): HttpHandler => {
  let useCase: PublicUseCase | undefined;
  return httpHandler(
    `${trigger.method} ${trigger.path}`,
    around,
    async (event, { requestId, now }) => {
      const body = trigger.body === undefined ? ok(new Uint8Array()) : bodyBytes(event);
      if (!body.ok) return err(body.error);
      useCase ??= build();
      return useCase({
        requestId,
        now,
        sourceIp: event.requestContext.http.sourceIp,
        method: event.requestContext.http.method,
        rawPath: event.rawPath,
        headers: headersOf(event),
        path: pathOf(event),
        rawQuery: event.rawQueryString,
        body: body.value,
      });
    },
    failure,
  );
};
