/** Answers of requests that the service may refuse for a reason that a command knows. */
import { TidemarkProblem } from '../src/index.ts';

/** The answer of a request, or what `handle` makes of a problem; `handle` throws a problem that it does not know. */
export const onProblem = <T, Other>(
  request: Promise<T>,
  handle: (problem: TidemarkProblem) => Other | Promise<Other>,
): Promise<T | Other> =>
  request.catch((error: unknown) => {
    if (error instanceof TidemarkProblem) return handle(error);
    throw error;
  });

/** The answer of a request about one thing; `undefined` if there is no such thing. */
export const unlessMissing = <T>(request: Promise<T>): Promise<T | undefined> =>
  onProblem(request, (problem) => {
    if (problem.status === 404) return undefined;
    throw problem;
  });
