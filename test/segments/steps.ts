import { expect } from 'vitest';
import type { RecordOutcome } from '../../shared/profiles/types.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { utcTimeOf } from '../../shared/http/text.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { keys } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { indexedHarness } from '../ingest/indexed-harness.ts';
import { seeded, type Choose } from '../ingest/interleave.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { referencesHarness } from '../references/harness.ts';
import { unloadedBrands, withoutBrands } from '../support/brands.ts';
import { Model, type Definition } from './custom-model.ts';
import { People, type Said } from './people-model.ts';
import { reading } from './reading.ts';

const PEOPLE = 50;

/** A table with injected failures: calls fail at once, or in the middle of concurrent calls. */
export interface Disturbed {
  readonly table: Table;
  /** From now on the `calls`-th operation and all later operations fail; no operation fails when it is `undefined`. */
  readonly failAfter: (calls: number | undefined) => void;
}

/** A record on its way: a redelivery repeats it with the same stamp until the record is stored. */
interface Sent {
  readonly who: number;
  readonly said: Said;
  readonly at: number;
  readonly record: AcceptedRecord;
}

/** The number of steps of each kind. */
export type Steps = Record<string, number>;

/** People, their segments and custom segments, in the service and in the model side by side. */
export class SideBySide {
  readonly counts: Steps = {};
  readonly #choose: Choose;
  readonly #disturbed: Disturbed;
  readonly #harness: ReturnType<typeof indexedHarness>;
  readonly #uses: ReturnType<typeof referencesHarness>;
  readonly #people = new People();
  readonly #customs = new Model([]);
  readonly #pending: { readonly batch: readonly Sent[]; readonly index: 'now' | 'later' }[] = [];
  #order = 0;
  #names = 0;

  constructor(disturbed: Disturbed, seed: number) {
    this.#choose = seeded(seed);
    this.#disturbed = disturbed;
    this.#harness = indexedHarness(disturbed.table);
    this.#uses = referencesHarness(disturbed.table);
  }

  /** Takes one step. */
  async step(): Promise<void> {
    this.#harness.clock.now += 1;
    const drawn = this.#choose(1_000);
    const [name, act] =
      drawn < 560
        ? (['record', () => this.#send(1, 'now')] as const)
        : drawn < 700
          ? (['batch', () => this.#send(2 + this.#choose(6), 'later')] as const)
          : drawn < 780
            ? (['redelivery', () => this.#redeliver()] as const)
            : drawn < 850
              ? (['forget', () => this.#forget()] as const)
              : drawn < 960
                ? (['custom', () => this.#custom()] as const)
                : (['comparison', () => this.compare()] as const);
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    await act();
  }

  /** Runs an action, sometimes with a failure in the middle; undefined if the action failed. */
  async #disturb<T>(act: () => Promise<T>): Promise<T | undefined> {
    this.#disturbed.failAfter(this.#choose(4) === 0 ? this.#choose(25) : undefined);
    try {
      return await act();
    } catch {
      this.counts['failure'] = (this.counts['failure'] ?? 0) + 1;
      return undefined;
    } finally {
      this.#disturbed.failAfter(undefined);
    }
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[this.#choose(Math.max(from.length, 1))];
  }

  #said(): Said {
    const some = (word: string) => (this.#choose(3) === 0 ? [`${word}${this.#choose(4)}`] : []);
    const maybe = (name: string, values: readonly string[]) =>
      this.#choose(3) === 0 ? { [name]: this.#pick(values) } : {};
    return {
      ...maybe('education_level', ['School', 'College', 'PhD']),
      ...maybe('gender', ['Female', 'Male']),
      ...maybe('country', ['DE', 'FR']),
      ...maybe('city', ['Bonn', 'Lyon']),
      ...maybe('consent', ['given', 'withdrawn']),
      ...{ tags: some('tag'), sources: some('source'), likes: some('47') },
    };
  }

  #record(): Sent {
    const [who, said] = [this.#choose(PEOPLE), this.#said()];
    this.#order += 1;
    const { tags = [], sources = [], likes = [], consent, ...values } = said;
    // The order of the records is the order of the statements.
    const datetime = utcTimeOf(Date.UTC(2020, 0, 1) + this.#order * 1_000);
    const sent = {
      unique_id: `u${who}`,
      ...values,
      tags: tags.map((tag) => ({ datetime: '2026-01-01 00:00:00', tag: [tag] })),
      social_likes: likes.map((id) => ({ id })),
      ...(consent === undefined ? {} : { consent: [{ channel: 'email', state: consent, datetime }] }),
      ...(sources[0] === undefined ? {} : { source: sources[0] }),
    };
    const stamp = stampOf(this.#harness.clock.now, this.#order);
    return { who, said, at: this.#order, record: accepted(sent, 0, { stamp }) };
  }

  async #send(count: number, index: 'now' | 'later'): Promise<void> {
    const batch = Array.from({ length: count }, () => this.#record());
    // Some neighbours have no place in the same chunk or in the same group.
    if (this.#choose(40) === 0)
      await this.#disturbed.table.increment(keys.counter(scope.id, 'ordinal'), this.#choose(100_000));
    const outcomes = await this.#disturb(() => this.#apply(batch, index));
    if (outcomes) this.#stored(batch, outcomes);
    else this.#pending.push({ batch, index });
  }

  #apply(batch: readonly Sent[], index: 'now' | 'later'): Promise<readonly RecordOutcome[]> {
    return this.#harness.apply(
      batch.map(({ record }) => record),
      index,
    );
  }

  #stored(batch: readonly Sent[], outcomes: readonly RecordOutcome[]): void {
    batch.forEach(({ who, said, at }, place) => {
      const outcome = outcomes[place];
      if (outcome?.kind === 'created' || outcome?.kind === 'updated') {
        const known = this.#people.ordinalOf(who);
        if (known !== undefined) expect(outcome.ordinal).toBe(known);
        this.#people.store(who, said, at, outcome.ordinal);
      } else expect(outcome?.kind).toBe('forgotten');
    });
  }

  async #redeliver(): Promise<void> {
    const [again] = this.#pending.splice(this.#choose(Math.max(this.#pending.length, 1)), 1);
    if (!again) return;
    const outcomes = await this.#disturb(() => this.#apply(again.batch, again.index));
    if (outcomes) this.#stored(again.batch, outcomes);
    else this.#pending.push(again);
  }

  async #forget(): Promise<void> {
    const who = this.#choose(PEOPLE);
    const ordinal = this.#people.ordinalOf(who);
    if (ordinal === undefined) return;
    await this.#settleConsent(who);
    this.#order += 1;
    const at = this.#order;
    // A client without an answer repeats its request, and the repetition finishes the first attempt.
    await this.#disturb(() => this.#harness.forget(ordinal));
    await this.#harness.forget(ordinal);
    this.#people.forget(who, at);
  }

  /** A record that was stored without an answer may have withdrawn consent, and that stands. So its answer comes first. */
  async #settleConsent(who: number): Promise<void> {
    for (const one of [...this.#pending]) {
      if (!one.batch.some((sent) => sent.who === who && sent.said.consent !== undefined)) continue;
      this.#stored(one.batch, await this.#apply(one.batch, one.index));
      this.#pending.splice(this.#pending.indexOf(one), 1);
    }
  }

  async #custom(): Promise<void> {
    const act = this.#choose(4);
    const current = [...this.#customs.customs].filter(([, { life }]) => life === 'current').map(([id]) => id);
    const chosen = this.#pick(current);
    this.#names += 1;
    const [name, definition] = [`c${this.#names}`, this.#definition(3)];
    if (act < 2 || chosen === undefined) {
      if (current.length > 12) return;
      await this.#disturb(() => this.#uses.makeSegment(definition, name));
    } else if (act === 2) await this.#disturb(() => this.#uses.editSegment(chosen, definition, name));
    else await this.#disturb(() => this.#uses.deleteSegment(chosen));
    await this.#learnCustom(name, definition, chosen);
  }

  /** Reads the outcome of a change from the stored segments, because a client without an answer has to read too. */
  async #learnCustom(name: string, definition: Definition, chosen: number | undefined): Promise<void> {
    const catalogue = segmentCatalogue({ table: this.#disturbed.table, ...withoutBrands });
    const [made] = (await catalogue.find(scope.id, name, { limit: 1 })).items;
    const old = chosen === undefined ? undefined : await catalogue.get(scope.id, chosen);
    const custom = this.#customs.customs.get(chosen ?? 0);
    if (made) this.#customs.customs.set(made.id, { name, definition, life: 'current' });
    if (!custom || chosen === undefined) return;
    if (!old) {
      expect(this.#customs.isInUse(chosen)).toBe(false);
      custom.life = 'deleted';
    } else if (typeof old.custom?.replaced_by === 'number') {
      expect(old.custom.replaced_by).toBe(made?.id);
      custom.life = 'replaced';
    }
  }

  #definition(depth: number): Definition {
    const ids = this.#customs.readable();
    const shape = depth === 0 ? 0 : this.#choose(6);
    const parts = () => Array.from({ length: 1 + this.#choose(3) }, () => this.#definition(depth - 1));
    if (shape === 1) return { all: parts() };
    if (shape === 2) return { any: parts() };
    if (shape === 3) return { not: this.#definition(depth - 1) };
    return this.#pick(ids) ?? everyoneId(scope.id);
  }

  /** Finishes all work under way, and gives new segments to the model. */
  async #settle(): Promise<void> {
    for (const { batch, index } of this.#pending.splice(0))
      this.#stored(batch, await this.#apply(batch, index));
    await this.#harness.sweep();
    const { items: segments } = await segmentCatalogue({
      table: this.#disturbed.table,
      ...withoutBrands,
    }).list(scope.id, { limit: 1_000 });
    const members = this.#people.segments();
    this.#customs.everybody = this.#people.everybody();
    for (const { id, type, name } of segments)
      if (type === 'everyone') this.#customs.given.set(id, new Set(this.#customs.everybody));
      else if (type !== 'custom') this.#customs.given.set(id, members.get(`${type} ${name}`) ?? new Set());
    const known = new Set(segments.map(({ type, name }) => `${type} ${name}`));
    for (const key of members.keys()) expect(known).toContain(key);
  }

  /** Compares one segment's count and pages, one `not` and one tree. */
  async compare(): Promise<void> {
    await this.#settle();
    const { table } = this.#disturbed;
    const profiles = profileRepository({ table });
    const deps = {
      table,
      profiles,
      derivations: unloadedBrands,
      catalogue: segmentCatalogue({ table, ...withoutBrands }),
      readProfiles: profiles.readEach,
    };
    const read = reading(deps, scope);
    const ids = this.#customs.readable();
    const [id, not] = [this.#pick(ids) ?? everyoneId(scope.id), this.#pick(ids)];
    const limit = 1 + this.#choose(20);
    const members = this.#customs.members(id);
    expect((await read.segment(id))?.count).toBe(members.length);
    expect(await read.walk(id, { limit, direction: 'next_page' })).toEqual(members);
    const end = (this.#customs.everybody.at(-1) ?? 0) + 1;
    const back = await read.walk(id, { limit, direction: 'previous_page', end });
    expect(back.toReversed()).toEqual(members);
    if (not !== undefined) {
      const left = this.#customs.members({ all: [id, { not }] });
      expect(await read.walk(id, { limit, not, direction: 'next_page' })).toEqual(left);
    }
    const who = this.#choose(PEOPLE);
    const ordinal = this.#people.ordinalOf(who);
    if (ordinal !== undefined)
      expect(await read.tree(ordinal)).toEqual(this.#people.treeOf(who, this.#customs.treeOf(ordinal)));
    const deleted = [...this.#customs.customs].find(([, { life }]) => life === 'deleted');
    if (deleted) expect(await read.segment(deleted[0])).toBeUndefined();
  }
}
