/**
 * Dead letters for operators: shows the messages that failed too often, sends them back to their queues, or deletes
 * them. Answers name ids and errors of the service; they show no other content of a message.
 */
import * as v from 'valibot';
import type { CommandRefusal, Outcome } from '../auth/accounts.ts';
import { limits } from '../config/limits.ts';
import { isObject } from '../http/json.ts';
import { MINUTE_MS, isoTime, type Clock } from '../runtime/clock.ts';
import type { DeadLetter, DeadLetterQueues, FindLines } from '../runtime/ports.ts';
import { mapLimited } from '../runtime/pool.ts';
import { err, ok } from '../runtime/result.ts';

/** The dead letters of a queue, as the stacks name them. */
export const deadLetterRoute = v.object({
  /** Name for operators: that of the queue, or `schedules`. */
  name: v.string(),
  /** Physical name of the queue with the dead letters. */
  deadLetters: v.string(),
  /** Where the messages came from; missing where nobody sends them back. */
  from: v.optional(
    v.object({
      /** Physical name of the queue. */
      queue: v.string(),
      /** The function that processes its messages, and the group of its log. */
      consumer: v.string(),
      logGroup: v.string(),
    }),
  ),
});
type Route = v.InferOutput<typeof deadLetterRoute>;

/** Ports of the dead letters. */
export interface DeadLetterPorts {
  readonly routes: readonly Route[];
  readonly queues: DeadLetterQueues;
  readonly findLines: FindLines;
}

interface Deps {
  readonly deadLetters: DeadLetterPorts;
  readonly clock: Clock;
}

/** All queues of dead letters: their size, and the oldest message among those looked at, with its first error. */
export const listDeadLetters = async ({ deadLetters, clock }: Deps): Promise<Outcome> => {
  const { routes, queues } = deadLetters;
  const listed = await mapLimited([...routes], routes.length, async (route) => {
    const messages = await queues.count(route.deadLetters);
    const [oldest] =
      messages === 0 ? [] : await lookInto(deadLetters, route, limits.operator.sampledLetters, 1);
    return {
      queue: route.name,
      function: route.from?.consumer ?? null,
      messages,
      oldest: oldest ? isoTime(oldest.sentAt) : null,
      age: oldest ? ageOf(clock() - oldest.sentAt) : null,
      first_error: oldest?.error ?? null,
    };
  });
  return ok({ dead_letters: listed });
};

/** The dead letters of one queue, the oldest first, up to a bound. */
export const showDeadLetters = async (
  { deadLetters, clock }: Deps,
  { queue }: { readonly queue: string },
): Promise<Outcome> => {
  const route = routeOf(deadLetters, queue);
  if (!route.ok) return route;
  const { name, deadLetters: stored, from } = route.value;
  const messages = await deadLetters.queues.count(stored);
  const seen = messages === 0 ? [] : await lookInto(deadLetters, route.value, limits.operator.shownLetters);
  return ok({
    queue: name,
    function: from?.consumer ?? null,
    messages,
    shown: seen.map(({ id, sentAt, body, error }) => ({
      id,
      sent: isoTime(sentAt),
      age: ageOf(clock() - sentAt),
      about: subjectOf(body),
      first_error: error ?? null,
    })),
  });
};

/** Sends all dead letters of a queue back to it. Every message may be processed any number of times. */
export const redriveDeadLetters = async (
  { deadLetters }: Deps,
  { queue }: { readonly queue: string },
): Promise<Outcome> => {
  const route = routeOf(deadLetters, queue);
  if (!route.ok) return route;
  const { name, deadLetters: stored, from } = route.value;
  if (from === undefined) return err(noWayBack(name));
  const messages = await deadLetters.queues.count(stored);
  // SQS counts about right, and late: an empty count is no reason to do nothing.
  if (!(await deadLetters.queues.moveBack(stored, from.queue))) return err(moving);
  return ok({ queue: name, moving: messages });
};

/** Deletes all dead letters of a queue. */
export const deleteDeadLetters = async (
  { deadLetters }: Deps,
  { queue }: { readonly queue: string },
): Promise<Outcome> => {
  const route = routeOf(deadLetters, queue);
  if (!route.ok) return route;
  const { name, deadLetters: stored } = route.value;
  const messages = await deadLetters.queues.count(stored);
  if (!(await deadLetters.queues.purge(stored))) return err(purging);
  return ok({ queue: name, deleted: messages });
};

const routeOf = ({ routes }: DeadLetterPorts, queue: string): Outcome<Route> => {
  const found = routes.find(({ name }) => name === queue);
  const names = routes.map(({ name }) => name).join(', ');
  return found
    ? ok(found)
    : err({ code: 'unknown_queue', message: `There is no such queue; the queues are ${names}.` });
};

/**
 * Up to `most` dead letters of a queue, the oldest first. The first `told` of them have their first errors, if the log of
 * the consumer has these.
 */
const lookInto = async (
  { queues, findLines }: DeadLetterPorts,
  { deadLetters, from }: Route,
  most: number,
  told = most,
): Promise<readonly (DeadLetter & { readonly error?: string | undefined })[]> => {
  const seen = (await queues.look(deadLetters, most)).toSorted((one, other) => one.sentAt - other.sentAt);
  const [oldest] = seen;
  if (oldest === undefined) return [];
  const failed = seen
    .slice(0, told)
    .filter(({ reason }) => reason === undefined)
    .map(({ id }) => id);
  const errors =
    from === undefined || failed.length === 0
      ? new Map<string, string>()
      : await firstErrors(failed, findLines(from.logGroup, failureCodes, firstReceive(from.queue, oldest)));
  return seen.map((letter) => ({ ...letter, error: letter.reason ?? errors.get(letter.id) }));
};

/** Codes of the log lines about messages that failed. */
const failureCodes = ['message.failed', 'message.unknown'];

/** The last receive of a message is at most this long after the first: SQS hides it a few minutes in between. */
const RECEIVES_MS = 60 * MINUTE_MS;

/**
 * The time from which on the log of the consumer can name a dead letter. An ordered queue dates a dead letter anew, after
 * its last receive (SQS guide, "Setting-up dead-letter queue retention").
 */
const firstReceive = (queue: string, { sentAt }: DeadLetter): number =>
  queue.endsWith('.fifo') ? sentAt - RECEIVES_MS : sentAt;

const failure = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    code: v.string(),
    message_id: v.string(),
    error: v.optional(v.object({ name: v.string(), message: v.optional(v.string()) })),
  }),
);

/** The first error of each of some messages, by its id, from lines of a log in their order. Reads no further than needed. */
const firstErrors = async (
  ids: readonly string[],
  lines: AsyncIterable<string>,
): Promise<ReadonlyMap<string, string>> => {
  const errors = new Map<string, string>();
  const missing = new Set(ids);
  for await (const line of lines) {
    const parsed = v.safeParse(failure, line);
    if (!parsed.success || !missing.delete(parsed.output.message_id)) continue;
    const { code, message_id, error } = parsed.output;
    errors.set(message_id, error ? [error.name, error.message].filter(Boolean).join(': ') : code);
    if (missing.size === 0) break;
  }
  return errors;
};

/** Members of messages that are ids, in the order in which they are shown. */
const idNames = ['property', 'job', 'export', 'group', 'revision'] as const;

/** What a message is about, by its ids: `property 1001, job 1001000000001`. Other members are not shown. */
const subjectOf = (body: string): string | null => {
  const message = v.safeParse(v.pipe(v.string(), v.parseJson()), body);
  if (!message.success || !isObject(message.output)) return null;
  const told = message.output;
  const ids = idNames.flatMap((name) => (typeof told[name] === 'number' ? [`${name} ${told[name]}`] : []));
  const kind = told['detail-type'];
  const all = typeof kind === 'string' ? [kind, ...ids] : ids;
  return all.length === 0 ? null : all.join(', ');
};

/** A time span as its largest unit: `3 d`, `5 h`, `12 min`. */
const ageOf = (milliseconds: number): string => {
  const minutes = Math.max(0, Math.floor(milliseconds / MINUTE_MS));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 2_880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} d`;
};

const noWayBack = (name: string): CommandRefusal => ({
  code: 'no_way_back',
  message: `The calls in ${name} are not sent back: the next call does the work. After the fix, delete them.`,
});
const moving: CommandRefusal = {
  code: 'conflict',
  message: 'These messages are already on their way back; look again in a minute.',
};
const purging: CommandRefusal = {
  code: 'conflict',
  message: 'SQS deletes the messages of a queue once a minute; try again in a minute.',
};
