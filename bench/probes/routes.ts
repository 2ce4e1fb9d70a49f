/**
 * Counts what each operation of the API asks of AWS: `node cli/launch.mjs bench/probes/routes.ts`. Plays the scenes on a
 * service whose tables take some time for each call, and prints for each operation the calls that wait for each other, all
 * calls, and the request units of its log line. A refused request warms the caches of the function first.
 */
import * as v from 'valibot';
import type { ObservedCall } from '../../local/gateway/pipeline.ts';
import { playScenes } from '../../test/scenes/catalogue.ts';
import { callerOf, operations, type Call } from '../../test/scenes/operations.ts';
import { openStage } from '../../test/scenes/stage.ts';
import { chainOf } from '../../test/support/round-trips.ts';

/** Milliseconds of each call to a table: calls that wait for each other are then apart. */
const CALL_MS = 20;

interface Counted {
  readonly chain: number;
  readonly calls: number;
  readonly units: number;
}

const line = v.looseObject({ code: v.literal('request.answered'), units: v.number() });

await using stage = await openStage({ strictness: { latency: { p50: CALL_MS, p99: CALL_MS } } });
const { service } = stage;
const { cloud } = service;
const found = new Map<string, Counted>();

/** The units in the log line of a request. */
const unitsOf = async (name: string, requestId: string): Promise<number> => {
  const lines = (await cloud.logs.read(name)).split('\n').filter((text) => text.includes(requestId));
  for (const text of lines) {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), line), text);
    if (parsed.success) return parsed.output.units;
  }
  return NaN;
};

/** Calls of one operation, counted. */
const countedCall =
  (name: string): typeof service.call =>
  async (method, path, options = {}) => {
    const given = Object.entries(options.headers ?? {});
    const headers = Object.fromEntries(given.filter(([header]) => header !== 'idempotency-key'));
    const refused = `${path}${path.includes('?') ? '&' : '?'}unknown=1`;
    // A route without a token may take any query, and uses up its link.
    if (operations.get(name)?.auth === 'token') await service.call(method, refused, { ...options, headers });
    const seen: ObservedCall[] = [];
    const end = cloud.gateway.observeCalls((call) => seen.push(call));
    const answer = await service.call(method, path, { ...options, headers });
    end();
    const own = seen.filter(({ caller }) => caller === name);
    const units = await unitsOf(`tidemark-local-${name}`, answer.headers.get('x-request-id') ?? '');
    found.set(name, { chain: chainOf(own).length, calls: own.length, units });
    return answer;
  };

const call: Call = (name: string, sent = {}, schema: v.GenericSchema = v.unknown()) =>
  callerOf({ ...service, call: countedCall(name) })(name, sent, schema);
await playScenes({ ...stage, call, show: call });
console.log('operation,in sequence,all calls,units');
for (const name of [...operations.keys()].toSorted()) {
  const { chain, calls, units } = found.get(name) ?? {};
  console.log([name, chain, calls, units].join());
}
process.exit(0);
