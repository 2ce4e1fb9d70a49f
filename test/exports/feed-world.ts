/**
 * Feed world: an export with changes and its receivers, where processes die and answers are lost. It plays the real runs,
 * deliveries, replays and replacements, and compares what a receiver knows with the members as told.
 */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { replayDelivery } from '../../shared/exports/delivery/replay-delivery.ts';
import { hasAttemptsLeft } from '../../shared/deliveries/delivery-state.ts';
import { segmentChanges } from '../../shared/exports/model/export-events.ts';
import type { ExportDefinition, ExportJob, JobRef } from '../../shared/exports/model/items.ts';
import { SealBrokenError } from '../../shared/exports/file/sealed-frames.ts';
import { isOpen } from '../../shared/exports/model/transitions.ts';
import { sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { changeItem } from '../../shared/table/change-item.ts';
import { keys } from '../../shared/table/keys.ts';
import { counterIn } from '../../shared/table/read-counter.ts';
import type { SendOutcome, WebhookCall } from '../../shared/webhooks/sender.ts';
import { bodyOf, exportsHarness, profile, PROPERTY, request, segment } from './harness.ts';
import { answered, columnsOf, forget, path, ref } from './steps.ts';

/** How a receiver answers a call: it takes it, takes it without an answer, does not take it, or wants no more. */
export type Answer = 'take' | 'lose' | 'refuse' | 'gone';

/** What happens to a person. */
export interface Event {
  readonly kind: 'joins' | 'leaves' | 'changes' | 'objects' | 'agrees' | 'forgotten';
  readonly who: number;
}

/** A step of a history. `dies` is the operation at which its process dies, if it has so many. */
export type Step =
  | Event
  | { readonly kind: 'asks' | 'cancels' | 'replays' | 'backs up' | 'restores' | 'rolls back' }
  | { readonly kind: 'works'; readonly dies: number; readonly meanwhile: readonly Event[] }
  /** `earlier` counts back among the jobs whose calls are not over. */
  | {
      readonly kind: 'tells';
      readonly dies: number;
      readonly answers: readonly Answer[];
      readonly earlier: number;
    }
  | { readonly kind: 'waits'; readonly hours: number }
  | { readonly kind: 'replaces'; readonly receiver: number };

/** The people whom events name. */
export const PEOPLE = 6;

const HOUR = 3_600_000;
/** So long that a call has one such person. */
const LONG = 'x'.repeat(130_000);
const lost: SendOutcome = { kind: 'failed', failure: 'late', reason: 'no answer' };
const outcomes: Readonly<Record<Answer, SendOutcome>> = {
  take: answered(204),
  lose: lost,
  refuse: answered(503),
  gone: answered(410),
};

class Death extends Error {}

export interface Feed {
  readonly first: 'none' | 'all';
  readonly kinds: readonly ('added' | 'removed' | 'changed')[];
}

export const feedWorld = ({ first, kinds }: Feed) => {
  let fuse = Number.POSITIVE_INFINITY;
  const harness = exportsHarness({
    before: () => {
      fuse -= 1;
      if (fuse < 0) throw new Death('died');
    },
    send: (call) => Promise.resolve(receive(call)),
  });
  const { fakes, exports, table } = harness;

  /** Does a step whose process may die. */
  const mortal = async (dies: number, step: () => Promise<unknown>): Promise<void> => {
    fuse = dies;
    try {
      await step();
    } catch (error) {
      if (!(error instanceof Death)) throw error;
    } finally {
      fuse = Number.POSITIVE_INFINITY;
    }
  };

  /** What goes on beside a process that dies. */
  const unharmed = async <T>(aside: () => Promise<T>): Promise<T> => {
    const left = fuse;
    fuse = Number.POSITIVE_INFINITY;
    const result = await aside();
    fuse = left;
    return result;
  };

  // The people: each has an ordinal, and another one after a forgetting.
  const ordinals = Array.from({ length: PEOPLE }, (_, who) => who);
  const [joined, objecting] = [new Set<number>(), new Set<number>()];
  const uuids = new Map<string, number>();
  const store = (ordinal: number): void => {
    uuids.set(sealOrdinal(harness.keys.uuid, ordinal), ordinal);
    const fields = { email: `p${ordinal}@example.test`, first_name: LONG };
    const restricted = objecting.has(ordinal);
    fakes.profiles.set(ordinal, profile(ordinal, { fields, restricted, updatedAt: fakes.now }));
  };
  const members = (): number[] => [...joined].filter((one) => !objecting.has(one)).toSorted((a, b) => a - b);
  const happen = async ({ kind, who }: Event): Promise<void> => {
    const ordinal = ordinals[who] ?? 0;
    if (kind === 'forgotten') {
      for (const set of [joined, objecting]) set.delete(ordinal);
      await forget(harness, ordinal);
      ordinals[who] = Math.max(...ordinals) + 1;
    } else {
      if (kind === 'joins') joined.add(ordinal);
      if (kind === 'leaves') joined.delete(ordinal);
      if (kind === 'objects') objecting.add(ordinal);
      if (kind === 'agrees') objecting.delete(ordinal);
      store(ordinal);
    }
    fakes.members.set(segment(2), members());
  };

  // The receivers: what each knows follows from its calls alone.
  const knowledge = new Map<string, Set<number>>();
  const knownAt = (url: string): Set<number> => {
    const known = knowledge.get(url) ?? new Set();
    knowledge.set(url, known);
    return known;
  };
  let answers: Answer[] = [];
  const receive = ({ url, body }: WebhookCall): SendOutcome => {
    const answer = answers.shift() ?? 'take';
    if (answer === 'refuse' || answer === 'gone') return outcomes[answer];
    const { part, delta_from, changes } = v.parse(segmentChanges, JSON.parse(body));
    const known = knownAt(url);
    if (delta_from === null && part === 1) known.clear();
    for (const { change, profile: told } of changes) {
      const ordinal = uuids.get(told.profile_uuid) ?? -1;
      if (change === 'removed') known.delete(ordinal);
      else known.add(ordinal);
    }
    return outcomes[answer];
  };

  /** The members as each job would tell them: as they were frozen, without those whom it found gone or objecting. */
  const expected = new Map<number, ReadonlySet<number>>();
  /** With `first: none`, whom each receiver was not told at the begin, and who have stayed since. */
  const untold = new Map<string, ReadonlySet<number>>();

  const body = (receiver: number) => ({
    ...{ segment: [segment(2)], scope: 'delta', data_format: 'jsonl', ...columnsOf('email', 'first_name') },
    changes: { url: `https://crm${receiver}.example.com/hooks`, first, kinds },
    schedule: { minute: '0', hour: '3' },
  });
  const definition = async (): Promise<ExportDefinition> => {
    const seen = await exports.definition(PROPERTY, ref.export);
    if (!seen) throw new Error('the export is gone');
    return seen.value;
  };
  const jobRef = (job: number): JobRef => ({ ...ref, job });
  const jobOf = async (job: number | null): Promise<ExportJob | undefined> =>
    job === null ? undefined : (await exports.job(jobRef(job)))?.value;

  const workAt = async (job: number, meanwhile: readonly Event[]): Promise<void> => {
    const before = await unharmed(() => jobOf(job));
    const { status, shards } = await harness.plan(jobRef(job));
    if (status !== 'planned') return;
    // A restore may let a job begin anew.
    const frozen = (before?.plan ? expected.get(job) : undefined) ?? new Set(members());
    expected.set(job, frozen);
    const isPrinted = await unharmed(async () => {
      for (const event of meanwhile) await happen(event);
      return (await exports.part(jobRef(job), 0)) !== undefined;
    });
    for (const { shard } of shards) await harness.part(jobRef(job), shard);
    if (!isPrinted && shards.length > 0)
      expected.set(job, new Set([...frozen].filter((one) => fakes.profiles.has(one) && !objecting.has(one))));
    try {
      await harness.assemble(jobRef(job));
    } catch (error) {
      // After a restore a job finds the checkpoint of its first life, under another key. The workflow lets it fail.
      if (!(error instanceof SealBrokenError)) throw error;
      await harness.fail(jobRef(job), error.name);
    }
  };
  const work = async (dies: number, meanwhile: readonly Event[]): Promise<void> => {
    const { current_job, waiting_job } = await definition();
    for (const job of [current_job, waiting_job]) {
      const known = await jobOf(job);
      if (job !== null && (known === undefined || isOpen(known)))
        await mortal(dies, () => workAt(job, meanwhile));
    }
  };

  /** Compares what a receiver knows with the members as a job told them. */
  const compare = async (job: ExportJob): Promise<void> => {
    const { feed_revision } = await definition();
    const { changes } = (await exports.frozenDefinition(job)) ?? {};
    const told = expected.get(job.job);
    if (!changes || !told || !job.plan || job.plan.revision < feed_revision) return;
    // A job from before a restore may still end without a call. The next one has no base, so the receiver discards all.
    if (job.plan.watermark <= (await exports.restored(PROPERTY))) return;
    const isBegin = job.plan.base === null && first === 'none';
    const stayed = isBegin ? told : (untold.get(changes.url) ?? new Set()).intersection(told);
    untold.set(changes.url, stayed);
    const known = knownAt(changes.url);
    const wrong = [...known].filter((one) => !told.has(one));
    // Whoever was forgotten since is not told.
    const alive = [...told].filter((one) => fakes.profiles.has(one));
    const missing = alive.filter((one) => !known.has(one) && !stayed.has(one));
    if (wrong.length + missing.length > 0)
      throw new Error(`job ${job.job}: the receiver knows ${wrong.join()} and lacks ${missing.join()}`);
  };

  /** The jobs whose workflows make calls, the newest first. */
  const telling = async (): Promise<readonly ExportJob[]> => {
    const found: ExportJob[] = [];
    for (const id of [...expected.keys()].toSorted((a, b) => b - a)) {
      const job = await jobOf(id);
      const delivery = (await exports.delivery(jobRef(id), 'changes'))?.value;
      if (job?.status === 'complete' && delivery && hasAttemptsLeft(delivery)) found.push(job);
    }
    return found;
  };
  const tell = async ({ dies, answers: sent, earlier }: Extract<Step, { kind: 'tells' }>): Promise<void> => {
    const jobs = await telling();
    const job = jobs[Math.min(earlier, jobs.length - 1)];
    if (!job) return;
    const due = (await exports.delivery(job, 'changes'))?.value.next_attempt ?? 0;
    fakes.now = Math.max(fakes.now, due);
    answers = [...sent];
    await mortal(dies, () => harness.tellChanges(job));
    if ((await exports.delivery(job, 'changes'))?.value.state === 'delivered') await compare(job);
  };

  let backup: { readonly at: number; readonly restore: () => void } | undefined;
  const jobCounter = keys.counter(PROPERTY, 'export-job');
  const restore = async (): Promise<void> => {
    if (!backup) return;
    const { value } = counterIn(await table.get(jobCounter));
    backup.restore();
    const set = { value: value + 1_000, raised: new Date(backup.at).toISOString() };
    await changeItem(harness, { key: jobCounter, what: 'a counter' }, () => ({ result: undefined, set }));
  };
  const replay = async (): Promise<void> => {
    const { current_job } = await definition();
    const delivery = { ...path, job_id: String(current_job), delivery: `${current_job}-changes` };
    await replayDelivery(harness, {
      ...request(fakes.now, {}, undefined, delivery),
      requestKey: randomUUID(),
    });
  };

  /** Release 0.2.0 runs the export: it notes nothing of what is told, and frees the slot at the end of its job. */
  const rollBack = async (): Promise<void> => {
    const seen = await exports.definition(PROPERTY, ref.export);
    if (!seen || (await telling()).length > 0) return;
    const complete_job = await exports.newId(PROPERTY, 'export-job');
    await exports.updateDefinition(seen, { current_job: null, waiting_job: null, complete_job });
  };
  /** A client that names another receiver knows that `first` decides: that receiver begins with nobody. */
  const replace = async (receiver: number): Promise<void> => {
    const { changes } = await definition();
    const after = body(receiver);
    if (changes?.url !== after.changes.url) knownAt(after.changes.url).clear();
    bodyOf(await harness.replace(path, after));
  };

  const steps = {
    asks: async () => void bodyOf(await harness.runAgain(path)),
    cancels: async () => {
      const { current_job } = await definition();
      await harness.cancel({ ...path, job_id: String(current_job) });
    },
    replays: replay,
    'backs up': () => {
      backup = { at: fakes.now, restore: table.backup() };
      fakes.now += HOUR;
      return Promise.resolve();
    },
    restores: restore,
    'rolls back': rollBack,
  } as const;

  const take = async (step: Step): Promise<void> => {
    fakes.now += 60_000;
    switch (step.kind) {
      case 'works':
        return work(step.dies, step.meanwhile);
      case 'tells':
        return tell(step);
      case 'waits':
        fakes.now += step.hours * HOUR;
        return;
      case 'replaces':
        return replace(step.receiver);
      case 'asks':
      case 'cancels':
      case 'replays':
      case 'backs up':
      case 'restores':
      case 'rolls back':
        return steps[step.kind]();
      case 'joins':
      case 'leaves':
      case 'changes':
      case 'objects':
      case 'agrees':
      case 'forgotten':
        return happen(step);
    }
  };

  return {
    take,
    begin: async (): Promise<void> => {
      for (const ordinal of ordinals) store(ordinal);
      fakes.members.set(segment(2), []);
      bodyOf(await harness.create(body(0)));
    },
    /** Everything works from now on: at the end the receiver must know the members. */
    end: async (): Promise<void> => {
      const never = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 4; round += 1) {
        await take({ kind: 'asks' });
        for (let again = 0; again < 2; again += 1) {
          await take({ kind: 'works', dies: never, meanwhile: [] });
          await take({ kind: 'tells', dies: never, answers: [], earlier: 0 });
        }
      }
      const { current_job } = await definition();
      const told = [...(expected.get(current_job ?? 0) ?? [])];
      if (told.join() !== members().join()) throw new Error('the last job has other members');
      const last = await jobOf(current_job);
      const state = last && (await exports.delivery(last, 'changes'))?.value.state;
      if (!last || state !== 'delivered') throw new Error(`the last job is ${state}`);
      await compare(last);
    },
  };
};
