/** A property with people, timed conditions and the calendars job, which a test leads through days. */
import { expect } from 'vitest';
import { cachedDerivations } from '../../../shared/catalogue/derivation.ts';
import { readConditions } from '../../../shared/catalogue/conditions/condition-list.ts';
import type { Where } from '../../../shared/catalogue/conditions/shape.ts';
import { identityKey } from '../../../shared/catalogue/identity.ts';
import { changeObjection } from '../../../shared/ingest/change-objection.ts';
import { audit } from '../../../shared/membership/audit/audit.ts';
import { followCalendars } from '../../../shared/membership/calendars/follow-calendars.ts';
import { membersFrom } from '../../../shared/membership/walk-members.ts';
import { objectionRef } from '../../../shared/profiles/objections.ts';
import { normalizeRecord } from '../../../shared/profiles/normalize-record.ts';
import { importOrigin } from '../../../shared/profiles/profile-state.ts';
import { profileRepository } from '../../../shared/profiles/profile-repository.ts';
import { DAY_MS } from '../../../shared/runtime/clock.ts';
import { stampOf } from '../../../shared/runtime/hybrid-timestamp.ts';
import { systemIds } from '../../../shared/runtime/ids.ts';
import { keys, PROFILES_PER_BLOCK } from '../../../shared/table/keys.ts';
import { drainRequested, memberships, processOf, sweepBy } from '../../ingest/indexed-harness.ts';
import { jobs, undoHarness } from '../../ingest/undo-harness.ts';
import { scope } from '../../profiles/harness.ts';
import { ConditionHarness } from '../../segments/conditions/harness.ts';
import type { Tick } from '../../support/death.ts';
import { MemoryObjects } from '../../support/memory-objects.ts';
import { MemoryQueue } from '../../support/memory-queue.ts';
import { MemoryTable } from '../../support/memory-table.ts';

/** The end of a process. */
class Death extends Error {}

/** The import of all jobs: see `undo-harness.ts`. */
const IMPORT = 7_001;

export class CalendarWorld extends ConditionHarness {
  readonly #undos: ReturnType<typeof undoHarness>;
  readonly #left: { operations: number };
  #records = 0;
  #calls = 0;
  /** A process that goes on, with all that it remembers. */
  readonly #warm: ReturnType<typeof processOf>;

  private constructor(table: MemoryTable, left: { operations: number }) {
    super(table);
    this.#left = left;
    const ports = { table, clock: this.clock };
    this.#undos = undoHarness(table, new MemoryObjects(), { derivations: cachedDerivations(ports) });
    this.#warm = this.#process();
  }

  /** A property that is made on a day. */
  static async on(day: string, tick: Tick = () => undefined): Promise<CalendarWorld> {
    const left = { operations: Number.POSITIVE_INFINITY };
    const table = new MemoryTable((...operation) => {
      tick(...operation);
      left.operations -= 1;
      if (left.operations < 0) throw new Death();
    });
    const world = new CalendarWorld(table, left);
    world.now = Date.parse(`${day}T09:00:00Z`);
    const wrappedKey = new Uint8Array(1);
    await table.put(keys.listedProperty(scope.id), { property: scope.id });
    await table.put(keys.property(scope.id), {
      ...{ account: 1, name: 'Shop', created: world.now, wrappedKey },
    });
    return world;
  }

  /** The UTC day, moved by some days. */
  day(moved = 0): string {
    return new Date(this.now + moved * DAY_MS).toISOString().slice(0, 10);
  }

  #process() {
    return processOf({ table: this.table, clock: this.clock, pause: () => Promise.resolve() });
  }

  /** Stores what is said of a person now; `later`: the drainer indexes it. With a job, an import says so. */
  async say(sent: Readonly<Record<string, unknown>>, how: 'now' | 'later' | number = 'now'): Promise<void> {
    const patch = normalizeRecord(sent, { now: this.now, tier: 1 });
    if (!patch.ok) throw new Error(JSON.stringify(patch.error));
    const stamp = stampOf(this.now, (this.#records += 1));
    const record = { patch: patch.value, stamp };
    if (typeof how !== 'number') {
      await this.people.apply([record], how);
      return;
    }
    const job = jobs[how] ?? jobs[0];
    this.#undos.time.now = this.now;
    if (!(await this.#undos.imports.job(scope.id, job))) await this.#undos.addJob(job);
    await this.#undos.apply([{ ...record, origin: importOrigin(IMPORT, job) }]);
  }

  /** Undoes what the import of a job has said. */
  async undo(how: number): Promise<void> {
    const job = jobs[how] ?? jobs[0];
    this.#undos.time.now = this.now;
    if (await this.#undos.imports.job(scope.id, job)) await this.#undos.undo(job);
  }

  /** Lets a person object to every use of their data, or stop to. */
  async object(name: string, begins: boolean): Promise<void> {
    const ref = objectionRef(scope, { kind: 'unique_id', value: name });
    const objection = begins ? { scope: 'use' as const, created: this.now, created_by: 3 } : null;
    this.#calls += 1;
    await changeObjection(this.#process(), scope, { ...ref, objection }, `objection-${this.#calls}`);
  }

  /** Calls the job, in a process that knows nothing or in one that goes on. */
  async job(hasTime = () => true, isWarm = false): Promise<number> {
    const { table, clock } = this;
    const process = isWarm ? this.#warm : this.#process();
    const drains = new MemoryQueue();
    const followed = await followCalendars(
      {
        ...{ table, clock, drains, ids: systemIds, derivations: process.derivations },
        ...{ journal: process.journal, catalogue: process.segments },
        readProfiles: profileRepository({ table }).readEach,
      },
      hasTime,
    );
    await drainRequested(process, drains);
    return followed;
  }

  /** Calls the job, which dies after some operations on the table. */
  async dyingJob(operations: number): Promise<void> {
    this.#left.operations = operations;
    await this.job().catch((error: unknown) => {
      if (!(error instanceof Death)) throw error;
    });
    this.#left.operations = Number.POSITIVE_INFINITY;
  }

  /** Indexes all that is announced. */
  async index(isWarm = false): Promise<void> {
    await sweepBy(isWarm ? this.#warm : this.#process());
  }

  /** Ends the day's work: the job until it has nothing to do, and everything that is announced. */
  async endDay(): Promise<void> {
    for (let call = 0; call < 20; call += 1) {
      await this.index();
      if ((await this.job()) === 0) return this.index();
    }
    throw new Error('the job does not come to an end');
  }

  /** An audit of all people. */
  audit() {
    const { table, clock } = this;
    const process = this.#process();
    const { journal, derivations, segments: catalogue } = process;
    const readProfiles = profileRepository({ table }).readEach;
    const deps = { table, clock, journal, derivations, catalogue, readProfiles };
    return audit(
      {
        ...{ ...deps, pause: () => Promise.resolve(), scopeOf: () => Promise.resolve(scope) },
        newIndex: () => process.membership,
      },
      { command: 'audit', property: scope.id },
    );
  }

  /** The index shows exactly who belongs in it now, in the calendars, too. */
  async expectExact(): Promise<void> {
    const { table, clock } = this;
    const { items } = await this.people.catalogue.list(scope.id, { limit: 1_000 });
    const preparing = items.filter(({ condition }) => condition?.ready === false).map(identityKey);
    const { indexed, derived } = await memberships(table, this.now);
    const shown = (all: Readonly<Record<string, readonly number[]>>) =>
      Object.fromEntries(Object.entries(all).filter(([key]) => !preparing.includes(key)));
    expect(shown(indexed)).toEqual(shown(derived));
    const { calendars } = (await cachedDerivations({ table, clock }).of(scope.id)).at(this.now);
    const { calendars: listed } = await readConditions(table, scope.id);
    const isReady = (id: number): boolean =>
      !listed.some(({ slot, ready }) => !ready && Math.floor((id % 10_000_000) / 32) === slot);
    const profiles = await profileRepository({ table }).readMany(scope.id, this.#ordinals());
    for (const { segments, of } of calendars) {
      for (const segment of segments.filter(({ id }) => isReady(id))) {
        const members = membersFrom(table, { property: scope.id, expression: segment.id });
        const wanted = [...profiles.values()].filter((one) => of(one).includes(segment));
        expect([segment.id, ...(await Array.fromAsync(members))]).toEqual([
          segment.id,
          ...wanted.map(({ ordinal }) => ordinal).sort((a, b) => a - b),
        ]);
      }
    }
  }

  #ordinals(): readonly number[] {
    return this.table
      .items('profile')
      .map(({ pk, sk }) => Number(pk.split('#').at(-1)) * PROFILES_PER_BLOCK + Number(sk));
  }
}

/** Conditions of all kinds whose members change with time alone, and one whose members do not. */
export const timedWheres: readonly Where[] = [
  { field: 'extra_data.seen', op: 'within_days', value: 1 },
  { field: 'extra_data.seen', op: 'within_days', value: 33 },
  { field: 'extra_data.seen', op: 'older_than_days', value: 3 },
  { field: 'extra_data.seen', op: 'within_next_days', value: 2 },
  { field: { tag: 'Concert' }, op: 'within_days', value: 4 },
  { field: { tag: 'Concert' }, op: 'older_than_days', value: 1 },
  { field: 'created', op: 'within_days', value: 2 },
  { field: 'birthday', op: 'anniversary_within_days', value: 2 },
  { field: 'birthday', op: 'anniversary_within_days', value: 364 },
  { field: 'birthday', op: 'before', value: '2012-01-01' },
  { field: 'age', op: 'between', value: [17, 17] },
  { field: 'age', op: 'gte', value: 18 },
  { field: 'extra_data.seen', op: 'exists' },
];
