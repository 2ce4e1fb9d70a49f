import type { Table } from '../../shared/table/table.ts';
import { advanceBrands, type Advance } from '../../shared/brands/advance.ts';
import { cachedDerivations } from '../../shared/catalogue/derivation.ts';
import { openPointer } from '../../shared/catalogue/brand-pointer.ts';
import { beginLoad, commitLoad, stagePart } from '../../shared/brands/load.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { finishForgetting, forgetPerson } from '../../shared/ingest/forget-person.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import type { Queue } from '../../shared/runtime/ports.ts';
import { drainGroup } from '../../shared/membership/drain.ts';
import { membersFrom } from '../../shared/membership/walk-members.ts';
import { journal } from '../../shared/membership/journal.ts';
import { parseSegment, expand } from '../../shared/catalogue/segment-items.ts';
import type { Segment } from '../../shared/catalogue/types.ts';
import { keys } from '../../shared/table/keys.ts';
import { seeded, TurnTable, type Choose } from '../ingest/interleave.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';

export const MARGIN_MS = 60_000;

/** A page's place in the catalogue: its brand, and the path of the brand. */
export type Placement = readonly [page: string, brand: string, category: string];

/** The maximum duration of a step of storage. Clocks differ by up to `SKEW_MS`, so a play stays well below the margin. */
const STEP_MS = 40;
const SKEW_MS = 10_000;

/** What a call has of its own. */
interface Call {
  readonly table?: Table;
  readonly drains?: Queue;
  readonly hasTime?: () => boolean;
}

/** A property with people, its index and the catalogue of brands, on one table whose accesses are separate steps. */
export class BrandHarness {
  readonly choose: Choose;
  readonly table = new TurnTable();
  /** Requests for the drainer. */
  readonly drains = new MemoryQueue();
  now = NOW;
  #attempts = 0;

  constructor(seed: number) {
    this.choose = seeded(seed);
  }

  /** A process with memories and a clock of its own. */
  process(table: Table = this.table) {
    const skew = this.choose(2 * SKEW_MS) - SKEW_MS;
    const clock = () => this.now + skew;
    const around = { table, clock, pause: () => Promise.resolve() };
    const writer = profileWriter({ ...around, derivations: cachedDerivations(around) });
    return { ...writer, catalogue: writer.segments, moments: momentMembers(writer) };
  }

  cause(): string {
    this.#attempts += 1;
    return `cause-${this.#attempts}`;
  }

  /** Runs actors together, one step at a time, and kills some of them. Time advances a little with each step. */
  async together(actors: readonly (() => Promise<unknown>)[], deadly = Infinity): Promise<void> {
    const tick: Choose = (count) => {
      this.now += this.choose(STEP_MS);
      return this.choose(count);
    };
    for (const end of await this.table.interleave(actors, tick, deadly))
      if (end.status === 'rejected' && !isKilled(end.reason)) throw end.reason;
  }

  /** Registers the property, so that the service prepares versions in it. */
  async open(): Promise<void> {
    await openPointer(this.table);
    await this.table.put(keys.listedProperty(scope.id), { property: scope.id });
    const set = { account: 1, name: 'P', created: NOW, wrappedKey: new Uint8Array(1) };
    await this.table.put(keys.property(scope.id), set);
  }

  async store(
    person: string,
    likes: readonly string[],
    index: 'now' | 'later',
    clear = false,
  ): Promise<void> {
    const deps = this.process();
    const order = (this.now - NOW) * 2;
    const email = { email: `${person}@example.org` };
    const records = [
      ...(clear ? [accepted({ ...email, social_likes: null }, order)] : []),
      accepted({ ...email, social_likes: likes.map((id) => ({ id })) }, order + 1),
    ];
    await applyRecords(deps, scope, records, { attemptId: this.cause(), index });
  }

  async forget(person: string): Promise<void> {
    const deps = this.process();
    const identity = { kind: 'email', value: `${person}@example.org` } as const;
    const ordinal = await profileRepository(deps).findOwner(scope, identity);
    if (ordinal !== undefined) await forgetPerson(deps, scope, ordinal, this.cause());
  }

  async drain(): Promise<void> {
    const deps = this.process();
    const finish = (property: number, ordinal: number) => finishForgetting(deps, property, ordinal);
    for (let more = true; more;)
      ({ more } = await drainGroup({ ...deps, finishForgetting: finish }, scope.id, 0));
  }

  /** Loads a catalogue as an operator does. */
  async load(placements: readonly Placement[]) {
    const deps = { ...this.process(), ids: systemIds };
    const { version } = await beginLoad(deps);
    const staged = await stagePart(deps, { version, part: 0, rows: placements });
    if (!staged.ok) throw new Error(staged.error.message);
    return commitLoad(deps, { version, parts: 1, pages: placements.length });
  }

  /** One call of the function that puts a version in place. */
  advance({ table = this.table, drains = this.drains, hasTime = () => true }: Call = {}): Promise<Advance> {
    const ids = { ...systemIds, uuid: () => this.cause() };
    return advanceBrands({ ...this.process(table), ids, drains, marginMs: MARGIN_MS, hasTime });
  }

  /** Lets every journal entry expire, and puts the version in place. */
  async settle(): Promise<void> {
    for (let round = 0; ; round += 1) {
      if (round === 10) throw new Error('the version is not put in place');
      this.now += 600_000;
      await this.drain();
      if ((await this.advance()) === 'idle') break;
    }
    this.now += 600_000;
    await this.drain();
    if ((await journal({ table: this.table, clock: () => this.now }).groups()).length > 0)
      throw new Error('the journal did not settle');
  }

  /** Every stored segment of the property: its own people by e-mail, and the people of the segments that it leads to. */
  async segments(): Promise<readonly Shown[]> {
    const { catalogue } = this.process();
    const stored = this.table.items('segment');
    const found = await catalogue.getMany(
      scope.id,
      stored.map((item) => parseSegment(item).id),
    );
    const people = await this.people();
    const shown: Shown[] = [];
    for (const segment of found.values()) {
      const target = expand(segment.id, found);
      shown.push({
        segment,
        own: await this.#members(segment.id, people),
        members: await this.#members(target, people),
      });
    }
    return shown;
  }

  async #members(target: Parameters<typeof expand>[0], people: ReadonlyMap<number, Person>) {
    const members: string[] = [];
    for await (const ordinal of membersFrom(this.table, { property: scope.id, expression: target }))
      members.push(people.get(ordinal)?.email ?? `nobody at ${ordinal}`);
    return members.sort();
  }

  /** Everybody by ordinal, with their likes. */
  async people(): Promise<ReadonlyMap<number, Person>> {
    const ordinals = Array.from({ length: 400 }, (_, ordinal) => ordinal);
    const found = await profileRepository({ table: this.table }).readMany(scope.id, ordinals);
    return new Map(
      [...found].map(([ordinal, { fields, likes }]) => [ordinal, { email: fields.email ?? '', likes }]),
    );
  }
}

interface Person {
  readonly email: string;
  readonly likes: readonly string[];
}

/** A stored segment with its own people, and the people of the segments that it leads to. */
export interface Shown {
  readonly segment: Segment;
  readonly own: readonly string[];
  readonly members: readonly string[];
}

const isKilled = (reason: unknown): boolean =>
  reason instanceof Error && reason.constructor.name === 'Killed';
