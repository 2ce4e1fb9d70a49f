/** What some histories begin with. */
import type { Where } from '../../shared/catalogue/conditions/shape.ts';
import { recordOf, taggedIn, type Said, type Shown } from './plain-model.ts';
import { meeting, timedRules } from './protocol-conditions.ts';
import type { ProtocolWorld } from './protocol-world.ts';
import { deltaOf, timelineOf } from './watch.ts';

/** A timeline and a delta export of a segment. */
export interface Watch {
  readonly timeline: Awaited<ReturnType<typeof timelineOf>>;
  readonly delta: Awaited<ReturnType<typeof deltaOf>>;
  /** Those of the people whom the segment has. */
  readonly membersOf: (people: readonly Shown[]) => readonly string[];
  readonly segment: number;
}

const watchOf = async (
  service: ProtocolWorld['service'],
  segment: number,
  membersOf: Watch['membersOf'],
): Promise<Watch> => ({
  timeline: await timelineOf(service, segment),
  delta: await deltaOf(service, segment, { field_set: 'email' }),
  membersOf,
  segment,
});

/** A watch of the people with the tag `jazz`. */
export const watched = async ({ service }: ProtocolWorld) => {
  await service.post({ unique_id: 'first', tags: [{ datetime: '2026-01-01 00:00:00', tag: ['jazz'] }] });
  const jazz = await service.segmentNamed('jazz');
  await service.forget({ unique_id: 'first' });
  return watchOf(service, jazz, (people) => taggedIn(people, 'jazz'));
};

/** A watch of the people who meet a condition. */
export const watchedCondition = async ({ service, model, makeCondition, prepared }: ProtocolWorld) => {
  const where: Where = { field: 'extra_data.spend', op: 'gte', value: 500 };
  await makeCondition(where, 'Watched').go();
  await prepared();
  return watchOf(service, model.conditions.find((one) => one.where === where)?.id ?? 0, (people) =>
    meeting(people, where, service.clock.now),
  );
};

/** A condition whose members change with the days. */
export const timedCondition = async ({ makeCondition, prepared }: ProtocolWorld): Promise<void> => {
  const [where] = timedRules;
  if (where) await makeCondition(where, 'Timed').go();
  await prepared();
};

/** Somebody whose 300 KB of extra data a batch clears, and who then gets 300 KB of other data: both do not fit a profile. */
export const crowd = async ({ service, model, openBatches, sendBatch }: ProtocolWorld): Promise<void> => {
  const pairs = (prefix: string) =>
    Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`${prefix}${n}`, 'x'.repeat(2_000)]));
  const crowded: Said = { who: 9, at: 0, name: 'P9.0', tags: [], likes: [] };
  const post = async (extra_data: object): Promise<void> => {
    await service.post({ ...recordOf(crowded), extra_data });
    model.said = [...model.said, { ...crowded, at: service.clock.now }];
  };
  await post(pairs('a'));
  const clears = sendBatch([{ ...crowded, city: 'Bonn', clearsExtra: true }], await openBatches(), 'stored');
  await clears.go();
  await clears.go();
  await post(pairs('b'));
};
