import { AsyncLocalStorage } from 'node:async_hooks';
import * as v from 'valibot';
import { limits } from '../../lib/config/limits.ts';
import type { SurfacedProfile } from '../../shared/profiles/types.ts';
import { segmentCatalogue } from '../../shared/segments/catalogue.ts';
import { segmentsOf } from '../../shared/segments/derive.ts';
import { drainGroup, drainRequest, sweepJournal } from '../../shared/segments/drain.ts';
import { membersFrom } from '../../shared/segments/evaluate.ts';
import { identityKey } from '../../shared/segments/identity.ts';
import { journal, type Journal, type JournalEntry } from '../../shared/segments/journal.ts';
import { membershipIndex, type ReadProfiles } from '../../shared/segments/membership.ts';
import type { Pair, SegmentIdentity } from '../../shared/segments/types.ts';
import type { Table } from '../../shared/table/table.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { surfaced, type ProfileSketch } from './profiles.ts';

const property = 1;
const MARGIN_MS = limits.segments.journalMarginSeconds * 1000;
/** Thrown in an actor that is killed. */
class Killed extends Error {}

/** A seeded source of choices: mulberry32. */
export const chooser = (seed: number) => {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
};

/** Ways to leave out one guard of the protocol, to show that its absence is noticed. */
export interface Sabotage {
  readonly table?: (table: Table) => Table;
  /** Given the profiles as they are read, and as they were when the chunks were read. */
  readonly staleProfiles?: boolean;
  readonly retireEarly?: boolean;
  readonly writeLate?: boolean;
  readonly noExtend?: boolean;
}

interface Actor {
  /** Steps that are left before it is killed. */
  steps: number;
  /** Of the actors that wait, the one with the highest rank goes on. */
  rank: number;
  /** The profiles as they were when this actor last read items. */
  seen: ReadonlyMap<number, Stored>;
}

/** What stands at an ordinal: a profile, or, once removed, its tombstone. */
interface Stored {
  readonly version: number;
  readonly profile: SurfacedProfile | undefined;
}

interface Turn {
  readonly actor: Actor;
  readonly go: () => void;
}

/** Steps, on average, until the actor that goes on is overtaken: most faults need a few long runs, not many short ones. */
const STEPS_PER_RUN = 10;
const RANKS = 1_000_000;

/**
 * A world of profiles, writers and drainers in which every access to storage is a step, and a seed decides whose step
 * comes next, who is killed, and how time passes.
 */
export class World {
  readonly #choose: (below: number) => number;
  readonly #sabotage: Sabotage;
  readonly #actors = new AsyncLocalStorage<Actor>();
  readonly #waiting: Turn[] = [];
  readonly #profiles = new Map<number, Stored>();
  readonly memory = new MemoryTable((operation, [key]) => {
    // The 64 partitions of the journal are read as one step: else nothing but that would happen.
    const aside = operation === 'query' && /^J#(?!0$)/.test(key?.pk ?? '');
    return aside ? undefined : this.#step();
  });
  readonly table: Table;
  #running = 0;
  #causes = 0;
  now = Date.UTC(2026, 0, 1);

  constructor(seed: number, sabotage: Sabotage = {}) {
    this.#choose = chooser(seed);
    this.#sabotage = sabotage;
    this.table = this.#watched(sabotage.table?.(this.memory) ?? this.memory);
  }

  choose(below: number): number {
    return this.#choose(below);
  }

  /** Remembers the profiles as they are when chunks are read, for the sabotage that reads in the wrong order. */
  #watched(table: Table): Table {
    const snapshot = (): void => {
      const actor = this.#actors.getStore();
      if (actor) actor.seen = new Map(this.#profiles);
    };
    return {
      get: (key) => table.get(key),
      getMany: async (keys) => {
        snapshot();
        return table.getMany(keys);
      },
      query: (pk, range) => table.query(pk, range),
      write: (write) => table.write(write),
      writeMany: (writes) => table.writeMany(writes),
      put: (key, set) => table.put(key, set),
      increment: (key, by) => table.increment(key, by),
    };
  }

  /** Waits until this actor's next step is chosen; throws when it is killed instead. */
  async #step(): Promise<void> {
    const actor = this.#actors.getStore();
    if (!actor) return;
    await new Promise<void>((go) => this.#waiting.push({ actor, go }));
    actor.steps -= 1;
    if (actor.steps < 0) throw new Killed();
  }

  /** Starts an actor that is killed after some steps, or never. */
  start(act: () => Promise<void>, steps = Number.POSITIVE_INFINITY): void {
    this.#running += 1;
    this.#actors.run({ steps, rank: this.#choose(RANKS), seen: new Map() }, () => {
      act()
        .catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        })
        .finally(() => {
          this.#running -= 1;
        });
    });
  }

  /** Lets all actors run to their ends, a step at a time; now and then time jumps by up to `jumpMs`. */
  async run(jumpMs = 0): Promise<void> {
    while (this.#running > 0) {
      await new Promise(setImmediate);
      this.#waiting.sort((a, b) => a.actor.rank - b.actor.rank);
      const next = this.#waiting.pop();
      if (jumpMs > 0 && this.#choose(10) === 0) this.now += this.#choose(jumpMs);
      if (next && this.#choose(STEPS_PER_RUN) === 0) next.actor.rank = this.#choose(RANKS);
      next?.go();
    }
  }

  readonly readProfiles: ReadProfiles = async (_, ordinals) => {
    await this.#step();
    const seen = this.#sabotage.staleProfiles === true ? this.#actors.getStore()?.seen : undefined;
    const found = new Map<number, SurfacedProfile>();
    for (const ordinal of ordinals) {
      const profile = (seen ?? this.#profiles).get(ordinal)?.profile;
      if (profile) found.set(ordinal, profile);
    }
    return found;
  };

  /** The services of one process: their memories are not shared. */
  process() {
    const clock = () => this.now;
    const log = journal({ table: this.table, clock });
    const early = journal({ table: this.table, clock: () => Number.POSITIVE_INFINITY });
    const catalogue = segmentCatalogue({ table: this.table });
    const membership = membershipIndex({
      table: this.table,
      catalogue,
      readProfiles: this.readProfiles,
      clock,
      pause: () => this.#step(),
    });
    const drained: Journal = this.#sabotage.retireEarly === true ? early : log;
    const finishForgetting = () => Promise.resolve();
    return { log, catalogue, membership, drainer: { journal: drained, membership, finishForgetting } };
  }

  /** A writer that stores a profile (or removes it), and indexes at once or leaves that to the drainer. */
  async write(ordinal: number, sketch: ProfileSketch | undefined, index: 'now' | 'later'): Promise<void> {
    const { log, catalogue, membership } = this.process();
    const pairs = new Map<string, Pair>();
    let entry: JournalEntry | undefined;
    for (;;) {
      await this.#step();
      const stored = this.#profiles.get(ordinal);
      const after = sketch && surfaced(ordinal, sketch);
      const differing = this.#differing(stored?.profile, after);
      const ids = await catalogue.idsOf(property, differing);
      const fresh = [...ids.values()]
        .map((segment) => ({ segment, ordinal }))
        .filter(({ segment }) => !pairs.has(String(segment)));
      for (const pair of fresh) pairs.set(String(pair.segment), pair);
      if (!entry) {
        this.#causes += 1;
        entry = await log.open(property, `c${this.#causes}`, fresh);
      } else if (fresh.length > 0 && this.#sabotage.noExtend !== true) entry = await log.extend(entry, fresh);
      const sent = this.now;
      if (!log.mayWrite(entry, sent) && this.#sabotage.writeLate !== true) return;
      await this.#step();
      // What is under way for longer than the margin never arrives.
      if (this.now - sent > MARGIN_MS && this.#sabotage.writeLate !== true) return;
      if (this.#profiles.get(ordinal)?.version !== stored?.version) continue;
      this.#profiles.set(ordinal, { version: (stored?.version ?? 0) + 1, profile: after });
      break;
    }
    if (index === 'later') return log.done(entry);
    await membership.reindex({ id: property }, [...pairs.values()]);
    await log.retire(entry);
  }

  #differing(before: SurfacedProfile | undefined, after: SurfacedProfile | undefined) {
    const keyed = (profile: SurfacedProfile | undefined) =>
      profile ? segmentsOf(profile, this.now) : new Map<string, SegmentIdentity>();
    const [old, fresh] = [keyed(before), keyed(after)];
    return [...old, ...fresh].filter(([key]) => !(old.has(key) && fresh.has(key))).map(([, one]) => one);
  }

  /** A drainer that looks into a group a few times and takes what is ripe. */
  async drain(group: number, looks: number): Promise<void> {
    const { drainer } = this.process();
    for (let look = 0; look < looks; look += 1) {
      for (let idle = this.#choose(8); idle > 0; idle -= 1) await this.#step();
      await drainGroup(drainer, property, group);
    }
  }

  /** Lets the life of every entry pass, then sweeps. */
  async settle(): Promise<void> {
    this.now += 10 * limits.segments.journalSeconds * 1000;
    const { log, drainer } = this.process();
    const sent: string[] = [];
    const send = (messages: readonly { readonly body: string }[]): Promise<void> => {
      sent.push(...messages.map(({ body }) => body));
      return Promise.resolve();
    };
    const ids = { uuid: () => String(sent.length), nonce: () => '', hex: () => '' };
    const deps = { journal: log, drains: { send }, ids };
    await sweepJournal(deps);
    for (let body = sent.shift(); body !== undefined; body = sent.shift()) {
      const { group } = v.parse(drainRequest, JSON.parse(body));
      await drainGroup(drainer, property, group);
    }
    if ((await log.groups(property)).length > 0) throw new Error('the journal did not settle');
  }

  /** Members by segment name, as the index has them and as the profiles say. */
  async compare(): Promise<{ readonly index: unknown; readonly profiles: unknown }> {
    const { segments } = await this.process().catalogue.list(property, 1000);
    const index = new Map<string, readonly number[]>();
    for (const segment of segments) {
      const members: number[] = [];
      for await (const ordinal of membersFrom(this.memory, { property, target: segment.id }))
        members.push(ordinal);
      if (members.length > 0) index.set(identityKey(segment), members);
    }
    const expected = Map.groupBy(
      [...this.#profiles].flatMap(([ordinal, { profile }]) =>
        [...(profile ? segmentsOf(profile, this.now).keys() : [])].map((key) => ({ ordinal, key })),
      ),
      ({ key }) => key,
    );
    const profiles = [...expected].map(
      ([key, members]) => [key, members.map(({ ordinal }) => ordinal).sort((a, b) => a - b)] as const,
    );
    return { index: Object.fromEntries(index), profiles: Object.fromEntries(profiles) };
  }
}
