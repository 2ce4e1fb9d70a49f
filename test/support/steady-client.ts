import * as v from 'valibot';
import type { RawAnswer, TestService } from './service.ts';
import { until } from './until.ts';

const PATIENCE_MS = 240_000;

/**
 * A client that does not give up: it repeats an unanswered request, or a request with a server error, under the same
 * key.
 */
export const steadyClient = (service: TestService, patienceMs = PATIENCE_MS) => {
  let sent = 0;
  const ask = async (method: string, path: string, body?: unknown): Promise<RawAnswer> => {
    sent += 1;
    const headers = method === 'POST' ? { 'idempotency-key': `story-${service.property}-${sent}` } : {};
    const options = body === undefined ? { headers } : { headers, body: JSON.stringify(body) };
    const answer = await until(
      `${method} ${path}`,
      async () => {
        const given = await service.call(method, path, options);
        return given.status < 500 && given.status !== 409 ? given : undefined;
      },
      patienceMs,
    );
    if (answer.status >= 400) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer;
  };
  const parsed = async <S extends v.GenericSchema>(answering: Promise<RawAnswer>, schema: S) =>
    v.parse(schema, JSON.parse((await answering).text));
  return {
    text: async (path: string): Promise<string> => (await ask('GET', path)).text,
    get: <S extends v.GenericSchema>(path: string, schema: S) => parsed(ask('GET', path), schema),
    post: <S extends v.GenericSchema>(path: string, body: unknown, schema: S) =>
      parsed(ask('POST', path, body), schema),
  };
};
export type SteadyClient = ReturnType<typeof steadyClient>;
