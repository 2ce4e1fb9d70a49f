/** Conditions of the histories: made, renamed, prepared and deleted while everything else goes on. */
import * as v from 'valibot';
import { canonicalOf } from '../../shared/catalogue/conditions/canonical.ts';
import type { Where } from '../../shared/catalogue/conditions/shape.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { PassingRefusal } from '../../shared/http/passing-refusal.ts';
import { createSegment, deleteSegment, replaceSegment } from '../../shared/segments/change-segments.ts';
import { findSegments } from '../../shared/segments/find-segments.ts';
import { dayOf } from '../../shared/membership/calendars/days.ts';
import { getSegment } from '../../shared/segments/get-segment.ts';
import { conditionTasks } from '../../shared/segments/prepare-conditions.ts';
import {
  customSegmentAnswer,
  findSegmentsQuery,
  segmentAnswer,
  segmentsAnswer,
} from '../../shared/segments/schemas.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { keys, type Key } from '../../shared/table/keys.ts';
import type { StoredItem } from '../../shared/table/table.ts';
import { holdsPlainly } from '../catalogue/conditions/plain-filter.ts';
import { scope } from '../profiles/harness.ts';
import { referencesHarness } from '../references/harness.ts';
import { surfaced } from '../segments/profiles.ts';
import { lookAtDue, tasksIn } from '../support/look-at-tasks.ts';
import type { MemoryTable } from '../support/memory-table.ts';
import { answered } from '../support/requests.ts';
import type { Shown } from './plain-model.ts';
import type { ServiceInMemory } from './service-in-memory.ts';
import { workOf, type Work } from './work.ts';

/** A condition as the plain model knows it. */
export interface KnownCondition {
  readonly id: number;
  readonly where: Where;
  readonly name: string;
}

/** The conditions of a property, and all ids that conditions of it ever had, over all restores. */
export interface ModelOfConditions {
  conditions: readonly KnownCondition[];
  readonly everMade: Set<number>;
}

/** The rules of the histories. No two of them are one condition. */
export const rules: readonly Where[] = [
  { field: 'tag', op: 'eq', value: 'JAZZ' },
  { field: 'tag', op: 'in', value: ['opera', 'swing'] },
  { field: 'tag', op: 'exists' },
  { field: 'city', op: 'starts_with', value: 'b' },
  { field: 'city', op: 'in', value: ['ULM', 'Trier'] },
  { field: 'email', op: 'contains', value: '.1@' },
  { field: 'extra_data.spend', op: 'gte', value: 500 },
  { field: 'extra_data.spend', op: 'between', value: [5, 600] },
  { field: 'extra_data.spend', op: 'eq', value: 'None' },
  { field: 'extra_data.spend', op: 'exists' },
];

/** Rules of which a day alone may make another verdict. */
export const timedRules: readonly Where[] = [
  { field: 'extra_data.seen', op: 'within_days', value: 1 },
  { field: 'extra_data.seen', op: 'older_than_days', value: 1 },
  { field: 'extra_data.seen', op: 'within_next_days', value: 1 },
];

/** The ids of the people for whom a rule holds at a time (epoch milliseconds). */
export const meeting = (people: readonly Shown[], where: Where, now: number): readonly string[] =>
  people.flatMap(({ unique_id, city, email, tags, spend, seen }) => {
    const extra = { ...(spend !== null && { spend }), ...(seen !== null && { seen }) };
    const profile = surfaced(0, { fields: { unique_id, city, email }, tags, extra });
    return holdsPlainly(where, profile, dayOf(now)) ? [unique_id] : [];
  });

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

const MINUTE = 60_000;
/** The margin of the preparation: that of a deployment in AWS. */
const MARGIN_MS = MINUTE;

/** Looks at the conditions of a property, a minute apart, that end every preparation. */
const MOST_LOOKS = 60;

const isRefused = (asking: Promise<unknown>): Promise<boolean> =>
  asking.then(
    () => false,
    (error: unknown) => {
      if (error instanceof PassingRefusal) return true;
      throw error;
    },
  );

export const protocolConditions = (
  service: ServiceInMemory,
  table: MemoryTable,
  model: ModelOfConditions,
) => {
  const { ask, clock, drainAll, draining, front, hour, ports, reading, membersOf } = service;
  const segments = {
    ...ports,
    catalogue: front.segments,
    referrers: referencesHarness(table).referrers,
    takesConditions: true,
    marginMs: 60_000,
  };
  const bodyOf = ({ name, where }: Pick<KnownCondition, 'name' | 'where'>) => ({ name, where });
  const kinds = conditionTasks({
    ...{ table, clock: ports.clock, marginMs: MARGIN_MS, journal: draining.journal },
    ...{ drains: draining.drains, ids: draining.ids, log: () => undefined },
    // While a look waits, the drains run that it has asked for.
    pause: async () => {
      clock.now += 200;
      await drainAll();
    },
  });
  const look = (): Promise<number> => lookAtDue(ports, kinds);
  const isAtWork = (): boolean => tasksIn(table).some(({ kind }) => kind === 'condition');
  const shownOf = (id: number) =>
    answered(getSegment(reading, ask({ segment_id: id }, {}, undefined)), segmentAnswer);
  const listed = async (): Promise<readonly KnownCondition[]> => {
    const query = v.parse(findSegmentsQuery, { type: 'condition', limit: '1000' });
    const found = await answered(findSegments(reading, ask({}, query, undefined)), segmentsAnswer);
    return Promise.all(
      found.map(async ({ id, name }) => {
        const { where } = await shownOf(id);
        if (!where) throw new Error('a condition shows no rule');
        return { id, name, where };
      }),
    );
  };
  /** Makes a custom segment, and returns its id. */
  const custom = async (definition: SegmentExpression): Promise<number> => {
    const asked = ask({}, {}, { name: 'Over a condition', definition });
    return (await answered(createSegment(segments, asked), customSegmentAnswer)).id;
  };
  return {
    /** Makes the condition of a rule. Where there is one, it is that one. */
    makeCondition: (where: Where, name: string): Work => {
      hour();
      let id = 0;
      const known = model.conditions.find((one) => canonicalOf(one.where) === canonicalOf(where));
      const make = async (): Promise<void> => {
        const asked = ask({}, {}, bodyOf({ name, where }));
        const made = await answered(createSegment(segments, asked), customSegmentAnswer);
        if (known && made.id !== known.id) throw new Error('a rule has two conditions');
        if (!known && id === 0 && model.everMade.has(made.id))
          throw new Error(`${made.id} was the id of another condition`);
        id = made.id;
        model.everMade.add(id);
      };
      return workOf(`condition ${name} ${JSON.stringify(where)}`, [make], () => {
        if (!known) model.conditions = [...model.conditions, { id, where, name }];
      });
    },
    renameCondition: ({ id, where }: KnownCondition, name: string): Work => {
      const rename = async (): Promise<void> => {
        const asked = ask({ segment_id: id }, {}, bodyOf({ name, where }));
        await answered(replaceSegment(segments, asked), customSegmentAnswer);
      };
      return workOf(`condition ${id} is renamed ${name}`, [rename], () => {
        model.conditions = model.conditions.map((one) => (one.id === id ? { ...one, name } : one));
      });
    },
    /** Deletes a condition; `isUsed`: something names it now, so that it stays. */
    removeCondition: ({ id }: KnownCondition, isUsed: () => boolean): Work => {
      let isGone = false;
      const remove = async (): Promise<void> => {
        const wasUsed = isUsed();
        const answer = await deleteSegment(segments, ask({ segment_id: id }, {}, undefined));
        const code = answer.ok ? undefined : answer.error.code;
        // What names it may have gone while the deletion stood still.
        const wanted = [
          ...(wasUsed || isUsed() ? ['in_use'] : []),
          ...(wasUsed && isUsed() ? [] : [undefined, 'not_found']),
        ];
        if (!wanted.includes(code)) throw new Error(`the deletion of ${id}: ${code}`);
        isGone = code !== 'in_use';
      };
      return workOf(`condition ${id} is deleted`, [remove], () => {
        if (isGone) model.conditions = model.conditions.filter((one) => one.id !== id);
      });
    },
    /** A look of the schedule at the conditions. */
    lookAtConditions: (): Work => {
      clock.now += MINUTE;
      return workOf('look at conditions', [look]);
    },
    /** Runs the drains that are asked for. */
    drains: (): Work => workOf('drains', [drainAll]),
    /** Brings all preparations and removals to their end. */
    prepared: async (): Promise<void> => {
      for (let looks = 0; isAtWork(); looks += 1) {
        if (looks === MOST_LOOKS) throw new Error('the conditions are never ready');
        clock.now += MINUTE;
        await look();
        await drainAll();
      }
    },
    isReady: async ({ id }: KnownCondition): Promise<boolean> => (await shownOf(id)).ready === true,
    customOver: custom,
    removeCustom: async (id: number): Promise<void> => {
      const answer = await deleteSegment(segments, ask({ segment_id: id }, {}, undefined));
      if (!answer.ok) throw new Error(answer.error.code);
    },
    /** What is wrong with the conditions, while nothing is under way and the index shows everything. */
    faultOfConditions: async (people: readonly Shown[]): Promise<string | undefined> => {
      const names = (all: readonly KnownCondition[]) =>
        JSON.stringify(all.toSorted((one, other) => one.id - other.id).map(({ id, name }) => [id, name]));
      const found = await listed();
      if (names(found) !== names(model.conditions))
        return `the conditions ${names(found)} instead of ${names(model.conditions)}`;
      for (const { id, name, where } of model.conditions) {
        const { ready, count } = await shownOf(id);
        if (ready !== true) {
          const naming = [membersOf(id), custom(id), custom({ not: id })];
          const refused = await Promise.all(naming.map(isRefused));
          if (count !== null || refused.includes(false)) return `${name} is named before it is ready`;
          continue;
        }
        const [shown, wanted] = [await membersOf(id), meeting(people, where, clock.now)];
        const ids = shown.map(({ unique_id }) => unique_id ?? '').sort();
        if (ids.join() !== wanted.toSorted().join())
          return `${name} ${JSON.stringify(where)}: ${ids.join()} instead of ${wanted.join()}`;
        if (count !== wanted.length) return `${name} has the count ${count}`;
      }
      return undefined;
    },
    /** What is left of conditions that are gone. */
    leftOfConditions: (): readonly string[] => {
      const gone = [...model.everMade].filter((id) => !model.conditions.some((one) => one.id === id));
      const named = new Set(gone);
      const places = new Set(
        gone.flatMap((id) => [keys.segment(scope.id, id), keys.size(scope.id, id)]).map(nameOf),
      );
      const partitions = new Set(gone.map((id) => keys.directory(scope.id, id).pk));
      const isOf = (item: StoredItem): boolean =>
        places.has(nameOf(item)) ||
        partitions.has(item.pk.split('#').slice(0, 4).join('#')) ||
        (typeof item['segment'] === 'number' && named.has(item['segment']));
      return table
        .items()
        .filter(({ pk }) => kindOfKey(pk) !== 'audit')
        .filter(isOf)
        .map(nameOf);
    },
  };
};
