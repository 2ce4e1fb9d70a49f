import * as v from 'valibot';
import { limits } from '../../../shared/config/limits.ts';
import { addCondition, removeCondition } from '../../../shared/segments/conditions.ts';
import { conditionTasks } from '../../../shared/segments/prepare-conditions.ts';
import type { Where } from '../../../shared/catalogue/conditions/shape.ts';
import { drainGroup, drainRequest } from '../../../shared/membership/drain.ts';
import { journal } from '../../../shared/membership/journal.ts';
import { membersFrom } from '../../../shared/membership/walk-members.ts';
import { finishForgetting } from '../../../shared/ingest/forget-person.ts';
import { profileRepository } from '../../../shared/profiles/profile-repository.ts';
import { systemIds } from '../../../shared/runtime/ids.ts';
import type { Log } from '../../../shared/runtime/log.ts';
import { reconcile } from '../../../shared/tasks/reconcile.ts';
import { indexedHarness, processOf } from '../../ingest/indexed-harness.ts';
import { accepted, scope } from '../../profiles/harness.ts';
import { referencesHarness } from '../../references/harness.ts';
import { tasksIn } from '../../support/look-at-tasks.ts';
import type { Task } from '../../../shared/tasks/tasks.ts';
import { MemoryQueue } from '../../support/memory-queue.ts';
import { MemoryTable } from '../../support/memory-table.ts';

/** The margin of the preparation: that of a deployment in AWS. */
export const MARGIN_MS = 60_000;

/** The user who creates conditions. */
export const user = { email: 'user@example.com', first_name: 'Uma', id: 7, last_name: 'User' };

/** A condition of the tests: people who have spent 500 or more. */
export const where: Where = { field: 'extra_data.spend', op: 'gte', value: 500 };

/** A property with people and conditions, on one table. Its tasks run when a test looks at them. */
export class ConditionHarness {
  readonly table: MemoryTable;
  readonly people: ReturnType<typeof indexedHarness>;
  readonly drains = new MemoryQueue();
  /** Whether nobody receives the requests to drain. */
  losesDrains = false;
  /** The chunks of a pass of the drainer. */
  mostChunks: number = limits.segments.chunksPerPass;
  /** Passes that have left a part of their entries. */
  cutPasses = 0;
  /** The lines that the looks have logged. */
  readonly lines: Parameters<Log>[] = [];
  #order = 0;

  constructor(table = new MemoryTable()) {
    this.table = table;
    this.people = indexedHarness(table);
  }

  get now(): number {
    return this.people.clock.now;
  }

  set now(time: number) {
    this.people.clock.now = time;
  }

  readonly clock = (): number => this.now;

  /** Stores records, each of one person. */
  async store(...records: readonly Parameters<typeof accepted>[0][]): Promise<void> {
    await this.people.apply(records.map((record) => accepted(record, (this.#order += 1))));
  }

  /** The same, and leaves the index to the drainer. */
  async storeLater(...records: readonly Parameters<typeof accepted>[0][]): Promise<void> {
    const sent = records.map((record) => accepted(record, (this.#order += 1)));
    await this.people.apply(sent, 'later');
  }

  /** Creates a condition and returns its id. */
  async create(rule: Where, name = 'A condition'): Promise<number> {
    const ports = { table: this.table, pause: () => Promise.resolve() };
    const draft = { name, where: rule, created: this.now, created_by: user };
    const made = await addCondition(ports, scope.id, draft);
    if (!made.ok) throw new Error(made.error);
    return made.value.segment.id;
  }

  /** Deletes a condition. */
  async remove(id: number): Promise<void> {
    const ports = {
      table: this.table,
      pause: () => Promise.resolve(),
      referrers: referencesHarness(this.table).referrers,
    };
    const removed = await removeCondition(ports, scope.id, id, this.now);
    if (!removed.ok) throw new Error('not removed');
  }

  /** Looks at the tasks that are due. While a look waits, the drains that it has asked for run. */
  async look(waits = () => this.drain()): Promise<void> {
    const { table, clock, drains } = this;
    const log: Log = (...line) => void this.lines.push(line);
    const deps = {
      ...{ table, clock, drains, ids: systemIds, marginMs: MARGIN_MS },
      journal: journal({ table, clock }),
      log,
      pause: async () => {
        this.now += 200;
        await waits();
      },
    };
    await reconcile({ table, clock, pause: deps.pause, log, kinds: conditionTasks(deps) });
  }

  /** A process with memories of its own. */
  process() {
    return processOf({ table: this.table, clock: this.clock, pause: () => Promise.resolve() });
  }

  /** Runs the drains that were asked for. */
  async drain(): Promise<void> {
    const process = this.process();
    for (const body of this.drains.takeBodies()) {
      const { property, group } = v.parse(drainRequest, body);
      if (property === scope.id && !this.losesDrains) await this.drainBy(process, group);
    }
  }

  /** Drains a group to its end, as a process that may know something already. */
  async drainBy(process: ReturnType<typeof processOf>, group = 0): Promise<void> {
    const finish = (owner: number, ordinal: number) => finishForgetting(process, owner, ordinal);
    const deps = { ...process, finishForgetting: finish };
    while ((await drainGroup(deps, scope.id, group, this.mostChunks)).more) this.cutPasses += 1;
  }

  /** Looks until the time of every waiting condition is over, and until all are ready or gone. */
  async settle(): Promise<void> {
    for (let minute = 0; minute < 20; minute += 1) {
      await this.look();
      this.now += 60_000;
    }
  }

  /** Indexes everything that is announced. */
  sweep(): Promise<void> {
    return this.people.sweep();
  }

  /** The unfinished work. */
  tasks(): readonly Task[] {
    return tasksIn(this.table);
  }

  async isReady(id: number): Promise<boolean> {
    const segment = await this.people.catalogue.get(scope.id, id);
    return segment?.condition?.ready === true;
  }

  /** The `unique_id`s of the members that the index shows. */
  async members(id: number): Promise<readonly (string | null)[]> {
    const found: number[] = [];
    for await (const ordinal of membersFrom(this.table, { property: scope.id, expression: id }))
      found.push(ordinal);
    const profiles = await profileRepository({ table: this.table }).readMany(scope.id, found);
    return [...profiles.values()].map(({ fields }) => fields.unique_id);
  }
}
