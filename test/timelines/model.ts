import { momentMembers } from '../../shared/membership/moments.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { ORDINALS_PER_CHUNK, ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';
import { seeded, type Choose } from '../ingest/interleave.ts';
import { everyone, Fixture, property } from '../segments/fixture.ts';
import { referencesHarness } from '../references/harness.ts';
import { HOUR, START, timelineHarness } from './harness.ts';

const tags = ['a', 'b'];

/** Neighbours, and people in other chunks and groups. */
const people = [0, 1, 2, 3, 40, ORDINALS_PER_CHUNK, 3 * ORDINALS_PER_CHUNK + 7, 2 * ORDINALS_PER_GROUP + 5];

/** A moment as it should be: members when it was made, less those who were forgotten since. */
interface ModelMoment {
  readonly id: number;
  readonly members: Set<number>;
}
interface ModelTimeline {
  readonly id: number;
  readonly tile: number;
  readonly moments: ModelMoment[];
}

/** The service and a model of sets beside it, doing the same things at random. */
export class History {
  readonly #choose: Choose;
  readonly fixture = new Fixture();
  readonly clock = { now: START };
  readonly harness = timelineHarness({
    property,
    table: this.fixture.table,
    readProfiles: this.fixture.readProfiles,
    clock: this.clock,
  });
  readonly #uses = referencesHarness(this.fixture.table);
  readonly #tagsOf = new Map<number, ReadonlySet<string>>();
  readonly #tagIds = new Map<string, number>();
  readonly #customs = new Map<number, SegmentExpression>();
  readonly timelines: ModelTimeline[] = [];
  #forgotten = new Set<number>();

  constructor(seed: number) {
    this.#choose = seeded(seed);
  }

  choose(below: number): number {
    return this.#choose(below);
  }

  #pick<T>(from: readonly T[]): T {
    const one = from[this.#choose(from.length)];
    if (one === undefined) throw new Error('nothing to pick from');
    return one;
  }

  /** Begins with some people, a custom segment and a timeline, and goes on for some steps. */
  async play(steps: number): Promise<void> {
    for (const name of tags) this.#tagIds.set(name, await this.fixture.tag(name));
    for (const one of people.slice(0, 4)) await this.#join(one);
    await this.#makeCustom();
    await this.#track();
    for (let step = 0; step < steps; step += 1) {
      const act = this.#choose(10);
      if (act < 4) await this.#join(this.#pick(people));
      else if (act === 4) await this.#forget(this.#pick(people));
      else if (act === 5) await this.#makeCustom();
      else if (act === 6) await this.#track();
      else await this.#addMoment(this.#pick(this.timelines));
    }
  }

  /** A person joins, or changes tags. A forgotten person returns as a new profile. */
  async #join(ordinal: number): Promise<void> {
    if (this.#forgotten.has(ordinal)) return;
    const chosen = tags.filter(() => this.#choose(2) === 0);
    this.#tagsOf.set(ordinal, new Set(chosen));
    await this.fixture.put([[ordinal, { tags: chosen }]], tags);
  }

  async #forget(ordinal: number): Promise<void> {
    this.#tagsOf.delete(ordinal);
    this.#forgotten.add(ordinal);
    await this.fixture.put([[ordinal, undefined]], tags);
    const { table, membership } = this.fixture;
    await momentMembers({ table, membership, clock: () => this.clock.now }).remove(property, [ordinal]);
    for (const { moments } of this.timelines) for (const { members } of moments) members.delete(ordinal);
  }

  #segments(): readonly number[] {
    const moments = this.timelines.flatMap((one) => one.moments.map(({ id }) => id));
    return [everyone, ...this.#tagIds.values(), ...this.#customs.keys(), ...moments];
  }

  async #makeCustom(): Promise<void> {
    const [a, b] = [this.#pick(this.#segments()), this.#pick(this.#segments())];
    const definition = this.#pick<SegmentExpression>([{ not: a }, { all: [a, { not: b }] }, { any: [a, b] }]);
    const { id } = await this.#uses.makeSegment(definition);
    if (id !== undefined) this.#customs.set(id, definition);
  }

  async #track(): Promise<void> {
    const tile = this.#pick(this.#segments());
    const { id, moments } = await this.harness.created(`T${this.timelines.length}`, tile);
    this.timelines.push({
      id,
      tile,
      moments: moments.map((moment) => ({ id: moment.id, members: this.members(tile) })),
    });
  }

  async #addMoment({ id, tile, moments }: ModelTimeline): Promise<void> {
    this.clock.now += HOUR / (1 + this.#choose(3));
    const { status, body } = await this.harness.add(id);
    if (status !== 201 || typeof body !== 'object' || body === null || !('id' in body)) return;
    moments.push({ id: Number(body.id), members: this.members(tile) });
  }

  /** Whom a segment holds now. */
  members(segment: number): Set<number> {
    const moment = this.timelines.flatMap((one) => one.moments).find(({ id }) => id === segment);
    if (moment) return new Set(moment.members);
    return new Set([...this.#tagsOf.keys()].filter((ordinal) => this.#holds(segment, ordinal)));
  }

  #holds(target: SegmentExpression, ordinal: number): boolean {
    if (typeof target !== 'number') {
      if ('all' in target) return target.all.every((part) => this.#holds(part, ordinal));
      if ('any' in target) return target.any.some((part) => this.#holds(part, ordinal));
      return !this.#holds(target.not, ordinal);
    }
    const custom = this.#customs.get(target);
    if (custom !== undefined) return this.#holds(custom, ordinal);
    const moment = this.timelines.flatMap((one) => one.moments).find(({ id }) => id === target);
    if (moment) return moment.members.has(ordinal);
    const tag = tags.find((name) => this.#tagIds.get(name) === target);
    return tag === undefined || this.#tagsOf.get(ordinal)?.has(tag) === true;
  }
}

/** Members of one set and not of the other, ascending. */
export const less = (one: ReadonlySet<number>, other: ReadonlySet<number>): readonly number[] =>
  [...one].filter((ordinal) => !other.has(ordinal)).sort((a, b) => a - b);
