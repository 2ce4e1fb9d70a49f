import * as v from 'valibot';
import { encodeFrozen } from '../../shared/exports/parts/frozen-set.ts';
import { bitsOf } from '../../shared/membership/chunk.ts';
import { exportFolderOf, folderOf } from '../../shared/properties/folders.ts';
import { membersKey } from '../../shared/retention/erasure-items.ts';
import { keys } from '../../shared/table/keys.ts';
import { operate } from '../support/operate.ts';
import { get, post, putItem, type Exercise, type Harness } from './exercise-scene.ts';

const made = v.pipe(v.string(), v.parseJson(), v.object({ id: v.number() }));

/** Somebody with a new tag is erased by it. Returns the path of the erasure. */
const erase = async (harness: Harness): Promise<string> => {
  const path = `/v1/${harness.service.property}`;
  const name = `erased ${harness.fresh()}`;
  const tags = [{ datetime: '2026-01-01 00:00:00', tag: [name] }];
  await post(harness, `${path}/profiles`, { email: `erased${harness.fresh()}@example.org`, tags });
  const { text } = await post(harness, `${path}/erasures`, { segment: { type: 'tag', name }, profiles: 1 });
  const answer = v.safeParse(made, text);
  return `${path}/erasures/${answer.success ? answer.output.id : 0}`;
};

/** A property with an outdated profile, an erasure, and files that are too old. */
const keepUp: Exercise = async (harness) => {
  const { service } = harness;
  const { cloud } = service;
  const name = `kept ${harness.fresh()}`;
  const command = { command: 'property.create', account: 1, name };
  const { property } = v.parse(v.looseObject({ property: v.number() }), await operate(service, command));
  const bucketOf = (part: string) =>
    cloud.deployment.buckets.find((bucket) => bucket.name.includes(`-${part}-`))?.name ?? '';
  const put = (part: string, key: string, bytes: Uint8Array = Buffer.from('x')) =>
    cloud.parts.storage.s3.put(bucketOf(part), key, Buffer.from(bytes));
  await put('uploads', `${folderOf('uploads', property)}a`);
  await put('work', `${folderOf('refused', property)}a`);
  await put('exports', `${exportFolderOf('files', property)}1/2/file`);
  await putItem(harness, keys.rules(property), {
    ...{ profile_months: 2, file_days: 0, special_categories: true },
  });
  await putItem(harness, keys.counter(property, 'ordinal'), { value: 2 });
  // The second is erased by the request below.
  for (const [ordinal, updated_at] of [1, Date.now()].entries())
    await putItem(harness, keys.profile(property, ordinal), { state: '[]', updated_at });
  const pass = { began: null, at: 0, batch: [], forgotten: 0, erasure: null };
  const begun = { property, step: 0, due: 0 };
  await putItem(harness, keys.upkeep(property, 'people'), { ...begun, kind: 'people', ...pass });
  await putItem(harness, keys.upkeep(property, 'files'), { ...begun, kind: 'files', after: '' });
  const members = membersKey(property, 1, 'a');
  await put('work', members, encodeFrozen([{ base: 0, bits: bitsOf([1]) }]));
  await putItem(harness, keys.erasure(property, 1), {
    ...{ id: 1, cause: 'segment', segment: null, stored_before: null, members, profiles: 1, forgotten: 0 },
    ...{ at: 0, created: 1, created_by: 1, finished: null },
  });
  const work = { property, kind: 'erasure', erasure: 1, created: 1, step: 0 };
  await putItem(harness, keys.upkeep(property, 'erasure-1'), work);
  await cloud.invoke('keepUp', {});
};

/** Exercises of erasures and of the rules of properties. */
export const retentionExercises: Readonly<Record<string, Exercise>> = {
  createErasure: (harness) => erase(harness),
  getErasure: async (harness) => get(harness, await erase(harness)),
  listErasures: async (harness) => {
    await erase(harness);
    await erase(harness);
    await get(harness, `/v1/${harness.service.property}/erasures?limit=1`);
  },
  keepUp,
};
