/** Scheduler: fires schedules and scheduled rules by the clock. */
import { randomUUID } from 'node:crypto';
import { ACCOUNT, REGION } from '../../core/arn.ts';
import type { Deliver, Target } from '../events/targets.ts';
import { compileExpression } from './expression.ts';

/** A schedule, or one target of a scheduled rule. */
export interface ScheduledEntry {
  /** Unique. A rule with several targets has several entries. */
  readonly id: string;
  /** ARN of the schedule or rule. */
  readonly arn: string;
  readonly name: string;
  /** Rules send other events than schedules. */
  readonly kind: 'rule' | 'schedule';
  readonly expression: string;
  readonly timezone: string;
  readonly enabled: boolean;
  readonly target: Target;
  /** Input of the target. The default is the service's own event. */
  readonly input?: string | undefined;
  /** Start of a rate, in milliseconds since the epoch. */
  readonly created: number;
  /** Called after the last run of a one-time schedule. */
  readonly onLastRun?: () => void;
}

/** Interval of the timer, in milliseconds. */
const TICK_MS = 250;

/** Starts the timer. `now` returns milliseconds since the epoch; a test passes its own clock. */
export const createScheduler = (deliver: Deliver, now: () => number) => {
  const entries = new Map<string, { readonly entry: ScheduledEntry; due: number | undefined }>();
  let busy = 0;
  const run = async (entry: ScheduledEntry, at: number): Promise<void> => {
    busy += 1;
    try {
      const principal = entry.kind === 'rule' ? 'events.amazonaws.com' : 'scheduler.amazonaws.com';
      await deliver(entry.target, { principal, sourceArn: entry.arn }, eventOf(entry, new Date(at)));
    } finally {
      busy -= 1;
    }
  };
  const tick = (): void => {
    for (const known of entries.values()) {
      if (known.due === undefined || known.due > now()) continue;
      void run(known.entry, known.due);
      known.due = dueAfter(known.entry, now());
      if (known.due === undefined) known.entry.onLastRun?.();
    }
  };
  const timer = setInterval(tick, TICK_MS).unref();
  return {
    set: (entry: ScheduledEntry) =>
      void entries.set(entry.id, { entry, due: entry.enabled ? dueAfter(entry, now()) : undefined }),
    remove: (id: string) => void entries.delete(id),
    /** Runs the entries of a name now. Throws when none exists. */
    fire: async (name: string) => {
      const found = [...entries.values()].filter(({ entry }) => entry.name === name);
      if (found.length === 0) throw new Error(`there is no schedule ${name}`);
      await Promise.all(found.map(({ entry }) => run(entry, now())));
    },
    /** Deliveries in progress. */
    busy: (): number => busy,
    stop: () => clearInterval(timer),
  };
};

/** The schedules and scheduled rules, and their timer. */
export type Scheduler = ReturnType<typeof createScheduler>;

const dueAfter = (entry: ScheduledEntry, after: number): number | undefined =>
  compileExpression(entry.expression, entry.timezone, entry.created)(after);

const eventOf = (entry: ScheduledEntry, at: Date): string => {
  const time = at.toISOString().replace(/\.\d+Z$/, 'Z');
  if (entry.input !== undefined)
    return entry.kind === 'rule' ? entry.input : fillIn(entry.input, entry, time);
  return JSON.stringify({
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: entry.kind === 'rule' ? 'aws.events' : 'aws.scheduler',
    account: ACCOUNT,
    time,
    region: REGION,
    resources: [entry.arn],
    detail: entry.kind === 'rule' ? {} : '{}',
  });
};

/** Replaces Scheduler's context attributes in an input. */
const fillIn = (input: string, entry: ScheduledEntry, time: string): string =>
  input
    .replaceAll('<aws.scheduler.schedule-arn>', entry.arn)
    .replaceAll('<aws.scheduler.scheduled-time>', time)
    .replaceAll('<aws.scheduler.execution-id>', randomUUID())
    .replaceAll('<aws.scheduler.attempt-number>', '1');
