/** Public handler: runs a use case behind a route without authentication. */
import { writeProblem } from '../http/answer.ts';
import type { PublicUseCase } from '../http/api-types.ts';
import type { Declared, ResourceName, SettingName, VariableOf } from '../runtime/env.ts';
import { err, ok } from '../runtime/result.ts';
import { bodyBytes, headersOf, pathParametersOf } from './event.ts';
import {
  httpHandler,
  routeName,
  systemRuntime,
  type HandlerRuntime,
  type HttpHandler,
  type WriteFailure,
} from './http-handler.ts';
import { buildOnce, type BuildDeps } from './build-once.ts';

/** The part of a manifest entry without authentication that the wrapper reads. */
export interface PublicRoute {
  readonly trigger: {
    readonly method: string;
    readonly path: string;
    readonly auth: 'none';
    readonly body?: unknown;
  };
}

/** The runtime of a public route, and the form of its problems where it has its own. */
export interface PublicOptions {
  readonly runtime?: HandlerRuntime;
  readonly failure?: WriteFailure;
}

/**
 * The Lambda handler of a route without authentication. `deps` runs once, at the first request. The use case reads the
 * query and the body itself; a body over the limit is 413, and a body that the route does not take is ignored.
 */
export const publicHandler = <
  Deps,
  To extends ResourceName,
  Setting extends SettingName,
  Read extends VariableOf<To, Setting>,
>(
  route: Declared<To, Setting> & PublicRoute,
  useCase: PublicUseCase<Deps>,
  deps: BuildDeps<Deps, To, Setting, Read>,
  { runtime = systemRuntime, failure = writeProblem }: PublicOptions = {},
): HttpHandler => {
  const portsOf = buildOnce(deps);
  return httpHandler(
    routeName(route),
    runtime,
    async (event, { requestId, now }) => {
      const body = route.trigger.body === undefined ? ok(new Uint8Array()) : bodyBytes(event);
      if (!body.ok) return err(body.error);
      return useCase(portsOf(), {
        requestId,
        now,
        sourceIp: event.requestContext.http.sourceIp,
        method: event.requestContext.http.method,
        rawPath: event.rawPath,
        headers: headersOf(event),
        path: pathParametersOf(event),
        rawQuery: event.rawQueryString,
        body: body.value,
      });
    },
    failure,
  );
};
