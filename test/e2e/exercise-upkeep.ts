import { dayOf } from '../../shared/membership/birthdays/days.ts';
import { bitsOf, encodeChunk } from '../../shared/membership/chunk.ts';
import { keys } from '../../shared/table/keys.ts';
import { get, post, putItem, type Exercise } from './exercise-scene.ts';

const DAY_MS = 86_400_000;

/** Ages at which bands begin, in an order that makes the band below each age new to the service. */
const thresholds = [65, 45, 25, 18];

/** A person with a birthday on one of the last three days. The function has to follow these days again. */
const followBirthdays: Exercise = async (harness) => {
  const { property, cloud } = harness.service;
  const n = harness.fresh();
  const age = thresholds.shift() ?? 18;
  const day = new Date(Date.now() - DAY_MS);
  day.setUTCFullYear(day.getUTCFullYear() - age);
  const birthday = dayOf(day.getTime());
  await post(harness, `/v1/${property}/profiles`, { email: `birthday${n}@example.org`, birthday });
  const before = dayOf(Date.now() - 3 * DAY_MS);
  await putItem(harness, keys.birthdays(property), { day: before, place: null });
  await putItem(harness, keys.allProperties('birthdays'), { day: before, round: null });
  await cloud.invoke('followBirthdays', {});
};

/** A person with a new tag. The tag makes a segment to measure, and a list with a second entry. */
const measureSizes: Exercise = async (harness) => {
  const { property, cloud } = harness.service;
  const n = harness.fresh();
  const tags = [{ datetime: '2026-01-01 00:00:00', tag: [`sized ${n}`] }];
  await post(harness, `/v1/${property}/profiles`, { email: `sized${n}@example.org`, tags });
  await cloud.invoke('measureSizes', {});
};

const listSegmentSizes: Exercise = async (harness) => {
  await measureSizes(harness);
  await get(harness, `/v1/${harness.service.property}/segment-sizes?limit=1`);
};

/** A person who does not exist is in `everyone` until an audit corrects it. */
const auditIndex: Exercise = async (harness) => {
  const { property, cloud } = harness.service;
  await putItem(harness, keys.chunk(property, harness.segment, 0, 1), { members: encodeChunk(bitsOf([1])) });
  await cloud.invoke('auditIndex', { operator: 'ada', command: 'audit', property, repair: true });
};

/** It reaches the service at its address, and needs nothing of AWS itself. */
const canary: Exercise = async (harness) => {
  const { ok } = await harness.service.cloud.invoke('canary', {});
  if (!ok) throw new Error('the canary does not reach the service');
};

/** Exercises of the functions that maintain the index, and of the canary. */
export const upkeepExercises: Readonly<Record<string, Exercise>> = {
  canary,
  followBirthdays,
  measureSizes,
  listSegmentSizes,
  auditIndex,
};
