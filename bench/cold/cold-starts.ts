/**
 * Cold starts: loads the bundle of each function in a new process and repeats its first request, beside a bare client of
 * the AWS SDK and a request that is signed by hand. AWS is a tape on loopback that answers at once.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { bundleFile } from '../../lib/constructs/bundle.ts';
import { chainOf } from '../../test/support/round-trips.ts';
import { isSuccess, redirected, withFirstRequests } from './record.ts';
import { openPlayer, type Player, type TapedCall } from './tape.ts';

/** The cold start of a function: medians of milliseconds, the processor time of both parts, and the calls. */
export interface ColdStart {
  readonly function: string;
  readonly bundleKilobytes: number;
  readonly loadMs: number;
  /** The rest is undefined for a function that the scenario of the examples does not call. */
  readonly firstCallMs: number | undefined;
  readonly cpuMs: number;
  readonly callsInFirstRequest: number | undefined;
  readonly sequentialRoundTrips: number | undefined;
  /** Milliseconds until the first answer, and processor time, of each start. */
  readonly starts: readonly { readonly wholeMs: number; readonly cpuMs: number }[];
}

/** The names of the two floors among the rows. */
export const floors = { sdk: '(bare SDK client)', hand: '(signed by hand)' } as const;

/** Something to start. */
interface Subject {
  readonly name: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly event: unknown;
  readonly tape: readonly TapedCall[];
}

const started = v.object({
  loadMs: v.number(),
  firstCallMs: v.number(),
  cpuMs: v.number(),
  answer: v.optional(v.unknown()),
  failure: v.optional(v.string()),
});
type Started = v.InferOutput<typeof started>;

/** Milliseconds of each call when the calls in sequence are counted: more than the function works between two. */
const CALL_MS = 60;

const processFile = join(import.meta.dirname, 'process.mjs');

/** Starts one process, and throws unless its first request succeeds. */
const start = async (player: Player, subject: Subject, callMs = 0): Promise<Started> => {
  const { name, env, event } = subject;
  player.load(subject.tape, callMs);
  const child = fork(processFile, { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const told = new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  const context = { awsRequestId: 'b7a0f6a4-5d3c-4b6e-9d0a-3a1b2c3d4e5f', functionName: name };
  child.send({ file: pathToFileURL(subject.file).href, exportName: 'handler', event, context });
  const report = v.parse(started, await told);
  await new Promise((resolve) =>
    child.exitCode === null ? child.once('exit', resolve) : resolve(undefined),
  );
  if (
    report.failure !== undefined ||
    (event !== undefined && !isSuccess(name, JSON.stringify(report.answer ?? null)))
  )
    throw new Error(`${name}: ${report.failure ?? JSON.stringify(report.answer)}`);
  return report;
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const rowOf = (
  subject: Subject,
  runs: readonly Started[],
  calls: Pick<ColdStart, 'callsInFirstRequest' | 'sequentialRoundTrips'>,
): ColdStart => ({
  function: subject.name,
  bundleKilobytes: Math.round(statSync(subject.file).size / 1024),
  loadMs: median(runs.map(({ loadMs }) => loadMs)),
  firstCallMs: subject.event === undefined ? undefined : median(runs.map(({ firstCallMs }) => firstCallMs)),
  cpuMs: median(runs.map(({ cpuMs }) => cpuMs)),
  starts: runs.map((run) => ({ wholeMs: run.loadMs + run.firstCallMs, cpuMs: run.cpuMs })),
  ...calls,
});

/** Measures subjects side by side: every round starts each of them once, so that all meet the same noise. */
const measure = async (
  player: Player,
  subjects: readonly Subject[],
  rounds: number,
): Promise<ColdStart[]> => {
  const runs = new Map<Subject, Started[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [subject, done] of runs) done.push(await start(player, subject));
  const rows: ColdStart[] = [];
  for (const [subject, done] of runs) rows.push(rowOf(subject, done, await callsOf(player, subject)));
  return rows;
};

const callsOf = async (player: Player, subject: Subject) => {
  if (subject.event === undefined) return { callsInFirstRequest: undefined, sequentialRoundTrips: undefined };
  await start(player, subject, CALL_MS);
  const calls = player.played();
  return { callsInFirstRequest: calls.length, sequentialRoundTrips: chainOf(calls).length };
};

const emptyAnswer: TapedCall = {
  action: 'DynamoDB_20120810.GetItem',
  body: Buffer.alloc(0),
  answer: {
    status: 200,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'content-length': '2' },
    body: Buffer.from('{}'),
  },
};

/** The floors, bundled into a folder. */
const floorsIn = (folder: string, env: Subject['env']): readonly Subject[] =>
  [
    [floors.sdk, 'bare-client'],
    [floors.hand, 'hand-signed'],
  ].map(([name = '', source = '']) => {
    const file = join(folder, `${source}.mjs`);
    bundleFile(join(import.meta.dirname, `${source}.ts`), file);
    return { name, file, env, event: {}, tape: [emptyAnswer] };
  });

/** Measures the cold starts of functions, in so many rounds. The floors are the first two rows. */
export const measureColdStarts = async (
  names: readonly string[],
  rounds: number,
): Promise<readonly ColdStart[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-cold-'));
  let rows: readonly ColdStart[] = [];
  try {
    await using player = await openPlayer();
    await withFirstRequests(async (requests, functions) => {
      const subjects = names.map((name): Subject => {
        const fn = functions.find((each) => each.name.endsWith(`-${name}`));
        if (!fn) throw new Error(`There is no function ${name}.`);
        const request = requests.get(name);
        const env = redirected(fn.env, fn.env['AWS_ENDPOINT_URL'] ?? '', player.url);
        return { name, file: fn.file, env, event: request?.event, tape: request?.tape ?? [] };
      });
      const [first] = subjects;
      rows = await measure(player, [...floorsIn(folder, first?.env ?? {}), ...subjects], rounds);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
};
