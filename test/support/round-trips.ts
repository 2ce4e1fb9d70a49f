/** Round trips: the AWS calls of an HTTP request that wait for each other. */
import * as v from 'valibot';
import type { ObservedCall } from '../../local/gateway/pipeline.ts';
import type { RunnableFunction } from '../../local/services/lambda/runner.ts';
import { startService, type CallOptions, type TestService } from './service.ts';

/**
 * Milliseconds of every call to a table; calls to other services take longer. Calls that wait for each other are then
 * apart, and calls that run side by side overlap, even when a busy machine begins them some time apart.
 */
const CALL_MS = 50;

/** A request, with a name. */
interface Sample {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The calls of one request. */
export interface RoundTrips {
  readonly name: string;
  readonly status: number;
  /** All calls, in the order of their answers, as `dynamodb:Query`. */
  readonly calls: readonly string[];
  /** The calls of the longest chain, each of which began after the one before had ended. */
  readonly chain: readonly string[];
}

/** The longest chain of calls of which none overlaps another. */
export const chainOf = (calls: readonly ObservedCall[]): readonly ObservedCall[] => {
  const chain: ObservedCall[] = [];
  for (const call of calls.toSorted((a, b) => a.ended - b.ended)) {
    const last = chain.at(-1);
    if (!last || call.began >= last.ended) chain.push(call);
  }
  return chain;
};

const roundTripsOf = async (
  service: TestService,
  { name, method, path, body }: Sample,
): Promise<RoundTrips> => {
  const seen: ObservedCall[] = [];
  const invoked = new Set<string>();
  const { cloud } = service;
  const endCalls = cloud.gateway.observeCalls((observed) => seen.push(observed));
  const endInvocations = cloud.observeInvocations(({ functionName }) => invoked.add(functionName));
  const options: CallOptions = body === undefined ? {} : { body: JSON.stringify(body) };
  const { status } = await service.call(method, path, options);
  endCalls();
  endInvocations();
  // A function calls as its name in the manifest, and is invoked by its full name.
  const own = seen.filter(({ caller }) => [...invoked].some((name) => name.endsWith(`-${caller}`)));
  return { name, status, calls: actionsOf(own), chain: actionsOf(chainOf(own)) };
};

const actionsOf = (calls: readonly ObservedCall[]): readonly string[] => calls.map(({ action }) => action);

const segmentList = v.array(v.looseObject({ id: v.number(), name: v.string() }));

/** The samples: requests about two people of a property, of which the second moves from one segment to another. */
const samplesOf = async (service: TestService): Promise<readonly Sample[]> => {
  const { property } = service;
  const root = `/v1/${property}`;
  const profiles = `${root}/profiles`;
  const store = async (body: object): Promise<void> => {
    await service.call('POST', profiles, { body: JSON.stringify(body) });
  };
  await store({ email: 'ada@example.org', city: 'Köln' });
  await store({ email: 'eve@example.org', city: 'Bonn' });
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) await store({ email: `kim${attempt}@example.org` });
  const listed: unknown = JSON.parse((await service.call('GET', `${root}/segments`)).text);
  const segment = v.parse(segmentList, listed).find(({ name }) => name === 'Köln')?.id;
  const lookup = `${root}/profile?email=ada@example.org`;
  const page = `/v2/properties/${property}/segments/${segment}/profiles`;
  return [
    { name: 'show the caller', method: 'GET', path: '/v1/me' },
    { name: 'look up a profile', method: 'GET', path: lookup },
    { name: ANEW, method: 'GET', path: lookup },
    { name: 'explain a profile', method: 'GET', path: `${lookup}&explain=true` },
    { name: NOBODY, method: 'GET', path: `${root}/profile?email=nobody@example.org` },
    {
      name: 'store a known profile',
      method: 'POST',
      path: profiles,
      body: { email: 'ada@example.org', first_name: 'Ada' },
    },
    {
      name: 'move a known profile to another segment',
      method: 'POST',
      path: profiles,
      body: { email: 'eve@example.org', city: 'Köln' },
    },
    {
      name: 'store a new profile',
      method: 'POST',
      path: profiles,
      body: { email: 'joe@example.org', city: 'Köln' },
    },
    { name: 'read a page of a segment', method: 'GET', path: page },
    { name: 'read a segment with its count', method: 'GET', path: `${root}/segments/${segment}` },
    { name: 'list segments', method: 'GET', path: `${root}/segments` },
    { name: 'list imports', method: 'GET', path: `${root}/imports` },
    { name: 'list exports', method: 'GET', path: `${root}/exports` },
    { name: 'list timelines', method: 'GET', path: `/v2/properties/${property}/timelines` },
    { name: 'list collections', method: 'GET', path: `${root}/collections` },
  ];
};

/** How often a request is measured: between two measurements, the window of the account's rate may change. */
const ATTEMPTS = 3;

/**
 * Measures requests on a service of its own. `first` has the first request of a new process of each function. The
 * requests in `warm` follow it, so that the caches of the functions are warm. Of some attempts the shortest chain counts.
 */
export const measureRoundTrips = async (): Promise<{
  readonly first: readonly RoundTrips[];
  readonly warm: readonly RoundTrips[];
}> => {
  let functions: readonly RunnableFunction[] = [];
  const adaptFunctions = (given: typeof functions): typeof functions => (functions = given);
  const latency = { p50: CALL_MS, p99: CALL_MS };
  await using service = await startService({ adaptFunctions, strictness: { latency } });
  const [first, warm]: [RoundTrips[], RoundTrips[]] = [[], []];
  for (const sample of await samplesOf(service)) {
    const attempts: RoundTrips[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt === 0) for (const { name } of functions) service.cloud.parts.runner.recycle(name);
      const before = await roundTripsOf(
        service,
        sample.body === undefined ? sample : warming(sample, attempt),
      );
      if (attempt === 0) first.push(before);
      attempts.push(await roundTripsOf(service, attempted(sample, attempt)));
    }
    const [shortest] = attempts.toSorted((a, b) => a.chain.length - b.chain.length);
    if (shortest) warm.push(shortest);
  }
  return { first, warm };
};

/** The lookup that finds nobody. It answers 404, and all others succeed. */
export const NOBODY = 'look up nobody';

/** The lookup of somebody whom the process has not looked up before. */
const ANEW = 'look up another profile';

const isNew = ({ name }: Sample): boolean => name === 'store a new profile';

/** The sample of an attempt: each attempt stores another new profile, or looks somebody else up. */
const attempted = (sample: Sample, attempt: number): Sample => {
  if (isNew(sample)) return { ...sample, body: { email: `joe${attempt}@example.org`, city: 'Köln' } };
  return sample.name === ANEW ? { ...sample, path: sample.path.replace('ada@', `kim${attempt}@`) } : sample;
};

/** The request that warms the caches of a request with a body, and leaves something to do for it. */
const warming = (sample: Sample, attempt: number): Sample =>
  isNew(sample)
    ? { ...sample, body: { email: `ann${attempt}@example.org`, city: 'Köln' } }
    : { ...sample, body: { email: 'eve@example.org', city: 'Bonn' } };
