import { partitionOf } from '../../shared/membership/journal.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { directoryWriter } from '../../shared/membership/chunk.ts';
import { everyone, everyoneId, identityKey } from '../../shared/catalogue/identity.ts';
import type { SegmentIdentity } from '../../shared/catalogue/types.ts';
import { keys } from '../../shared/table/keys.ts';
import type { Attribute, StoredItem } from '../../shared/table/table.ts';
import { indexedHarness } from '../ingest/indexed-harness.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { explore, learnt, type Explored } from '../support/explore.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { withoutBrands } from '../support/brands.ts';
import { Actors } from './protocol-actors.ts';
import { cellOf, isMoving, itemOf, textOf, type Item } from './protocol-cells.ts';
import { judged, leftBehind, lostChunk, wrongAtEnd, wrongIn, type Known } from './protocol-check.ts';
import { CONDITION, CONDITION_KEY, EARLIER, hasEarlier, storing, type Stage } from './protocol-conditions.ts';
import { derivationsAfter, factSegments, storeVersions } from './protocol-facts.ts';
import { decode, encode, hasEnded, Model, tableText, type State } from './protocol-model.ts';
import type { Program, Programs, Reads, Sabotage } from './protocol-programs.ts';

/** Levels of education, each a segment. The stored person has the first level. */
const levels = ['X', 'Y', 'Z'] as const;

/** The stored state before a scene. */
interface Begin {
  /** The table contains nothing except the person's claim, left by a writer that died. */
  readonly unborn?: boolean;
  /** The segments that the person may enter have no directories yet. */
  readonly unlisted?: boolean;
  /** A fact that decides segments will be put in place. The person likes these pages: see `protocol-facts.ts`. */
  readonly likes?: readonly string[];
  /** There is a condition: see `protocol-conditions.ts`. */
  readonly condition?: Stage;
}

/** Actors that work on the person at the same time. */
export interface Scene extends Begin {
  readonly programs: readonly Program[];
  readonly crashes: number;
  /** The index shows the person in one level at every moment; true where each move is announced as one change. */
  readonly isAlwaysShown?: boolean;
  /** Times in milliseconds from the beginning; the first is 0. */
  readonly times?: readonly number[];
}

/** A table before a scene. */
interface Base {
  readonly still: ReadonlyMap<string, StoredItem>;
  readonly items: readonly Item[];
  readonly segments: readonly Known[];
}

/** Builds the table with the real code: the indexed person with level X, and all segments of the scenes. */
const baseOf = async ({ unborn = false, unlisted = false, likes, condition }: Begin): Promise<Base> => {
  const table = new MemoryTable();
  if (likes) await storeVersions(table);
  const catalogue = segmentCatalogue({
    table,
    ...withoutBrands,
    ...(likes ? { derivations: derivationsAfter } : {}),
  });
  const identities = levels.map((level): SegmentIdentity => ({
    type: 'demographic',
    path: ['Demographics', 'Education level'],
    name: `Education level: ${level}`,
  }));
  if (likes) identities.push(...factSegments);
  const ids = await catalogue.idsOf(scope.id, identities);
  const liked = likes ? { social_likes: likes.map((id) => ({ id })) } : {};
  const first = { unique_id: 'u', education_level: levels[0], ...liked };
  const store = (more: object) => indexedHarness(table).apply([accepted({ ...first, ...more }, 0)]);
  await (condition ? storing(table, condition, store) : store({}));
  const segments = [
    { id: everyoneId(scope.id), key: identityKey(everyone) },
    ...[...ids].map(([key, id]) => ({ id, key })),
    ...(condition ? [{ id: CONDITION, key: CONDITION_KEY }] : []),
  ];
  if (!unlisted)
    await directoryWriter({ table, pause: () => Promise.resolve() }).ensure(
      scope.id,
      new Map(segments.map(({ id }) => [id, new Set([0])])),
    );
  const still = new Map<string, StoredItem>();
  const items: Item[] = [];
  for (const item of table.items()) {
    const { pk, sk, w, ...attributes } = item;
    if (!isMoving(item)) still.set(textOf(item), { ...attributes, pk, sk, w });
    else if (!unborn) {
      const cell = cellOf(item);
      while (items.length <= cell) items.push(0);
      items[cell] = itemOf(attributesIn(attributes));
    }
  }
  return { still, items, segments };
};

/** The attributes of a read item, typed as the attributes of a write. */
const attributesIn = (attributes: Readonly<Record<string, unknown>>): Readonly<Record<string, Attribute>> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, attributeIn(value)]));

const attributeIn = (value: unknown): Attribute => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(attributeIn);
  if (typeof value === 'object') return attributesIn({ ...value });
  throw new Error('the scenes have no such attribute');
};

/** The partition of the journal that a program writes, if it writes one. */
const partitionsOf = ({ entry }: Pick<Program, 'entry'>): readonly string[] =>
  entry ? [keys.journalPartition(partitionOf(scope.id, 0, entry.lane, entry.attemptId))] : [];

const earlier = { entry: { attemptId: EARLIER, lane: 'background' } } as const;

/** What processes read of what decides segments. */
const readsIn = ({ likes, condition }: Scene): Reads => {
  if (condition) return 'conditions';
  return likes ? 'brands' : 'nothing';
};

/** A time longer than the lifetime of an entry. */
const LATER_MS = 3_600_000;

/**
 * Plays scenes with the same guards left out: all their states, or the first `most`. Scenes that begin alike share the
 * learned steps.
 */
export const stage = (programs: Programs, sabotage: Sabotage = {}) => {
  const known = new Map<string, { readonly base: Base; readonly actors: Actors }>();
  const setUp = async ({ unborn, unlisted, likes, condition, programs, crashes }: Scene) => {
    const writers = programs.flatMap((one) => (crashes > 0 && one.again ? [one, one.again] : [one]));
    const partitions = new Set(
      [...writers, ...(condition && hasEarlier(condition) ? [earlier] : [])].flatMap(partitionsOf),
    );
    const name = JSON.stringify([unborn, unlisted, likes, condition, [...partitions]]);
    const found = known.get(name);
    if (found) return found;
    const base = await baseOf({
      unborn: unborn === true,
      unlisted: unlisted === true,
      ...(likes ? { likes } : {}),
      ...(condition ? { condition } : {}),
    });
    const made = { base, actors: new Actors({ still: base.still, partitions }) };
    known.set(name, made);
    return made;
  };
  return async (scene: Scene, most?: number): Promise<Explored<State>> => {
    const { base, actors } = await setUp(scene);
    const { segments } = base;
    const times = (scene.times ?? [0]).map((time) => NOW + time);
    const model = new Model(actors, scene.programs, times, sabotage);
    const ids = new Set(segments.filter(({ key }) => key !== identityKey(everyone)).map(({ id }) => id));
    const alwaysIn = scene.isAlwaysShown === true ? ids : new Set<number>();
    const unlisted = segments.filter(({ id }) => !base.still.has(textOf(keys.directory(scope.id, id))));
    const swept = (state: State): Promise<State> =>
      learnt(() => {
        const last = new Model(actors, [programs.sweeper(readsIn(scene))], [NOW + LATER_MS]);
        let at = last.begin(state.items, 0);
        for (let step = last.steps(at).at(-1); step; step = last.steps(at).at(-1)) at = step.state;
        return at;
      });
    const checked = new Map<string, string | undefined>();
    const ends = new Map<string, string | undefined>();
    return explore<State>(
      {
        begin: await learnt(() => model.begin(base.items, scene.crashes)),
        encode,
        decode: (text) => decode(text, scene.programs.length),
        steps: (state) => model.steps(state),
        hasEnded,
        faultIn: (state) => {
          // The writer of a late profile write extends its announcement before it ends.
          const mayBeSilent = state.late && !hasEnded(state);
          const text = tableText(state) + (state.late ? ' late' : '') + (mayBeSilent ? ' silent' : '');
          if (!checked.has(text)) {
            const all = judged(state.items, segments, state.late);
            const wrong = wrongIn(state.items, all, { levels: alwaysIn, mayBeSilent });
            checked.set(text, wrong ?? lostChunk(state.items, unlisted));
          }
          return checked.get(text);
        },
        faultAtEnd: async (state) => {
          const text = tableText(state) + (state.late ? ' late' : '');
          if (!ends.has(text)) {
            const { items } = await swept(state);
            ends.set(text, wrongAtEnd(items, judged(items, segments, state.late)) ?? leftBehind(items));
          }
          return ends.get(text);
        },
      },
      most,
    );
  };
};
