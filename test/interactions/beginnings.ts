/** What some histories begin with. */
import { recordOf, type Said } from './plain-model.ts';
import type { ProtocolWorld } from './protocol-world.ts';
import { deltaOf, timelineOf } from './watch.ts';

/** A timeline and a delta export of the people with the tag `jazz`. */
export const watched = async ({ service }: ProtocolWorld) => {
  await service.post({ unique_id: 'first', tags: [{ datetime: '2026-01-01 00:00:00', tag: ['jazz'] }] });
  const jazz = await service.segmentNamed('jazz');
  await service.forget({ unique_id: 'first' });
  const timeline = await timelineOf(service, jazz);
  return { timeline, delta: await deltaOf(service, jazz, { field_set: 'email' }) };
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
