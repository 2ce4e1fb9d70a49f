import { hash } from 'node:crypto';
import * as v from 'valibot';
import { jobsAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { errorsAnswer, warningsAnswer } from '../../shared/imports/schemas/report-schemas.ts';
import { profileAnswer } from '../../shared/profiles/schemas.ts';
import { mapLimited } from '../../shared/runtime/pool.ts';
import { segmentsAnswer } from '../../shared/segments/schemas.ts';
import { segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import { jobSchema } from '../support/api-client.ts';
import type { TestService } from '../support/service.ts';
import type { Told } from './import-run.ts';
import { names } from './import-story.ts';

const AT_ONCE = 1;

/** Longer texts are compared by their hash, so that a difference stays readable. */
const LONG = 1_000;

/** Fields that differ in every run: random ids, and the times of acceptance. */
const drawn = new Set(['profile_uuid', 'batch_job_uuid', 'job', 'stamp']);

/** A value without the fields that differ in every run. Definitions go by their names, and sets are sorted. */
const comparable = (value: unknown, imports: Told['imports']): unknown => {
  const nameOf = new Map(Object.entries(imports).map(([name, id]) => [`import:${id}`, name]));
  const text = JSON.stringify(value, (key, one: unknown) => {
    if (drawn.has(key)) return undefined;
    if (typeof one !== 'string') return one;
    if (one.length > LONG) return hash('sha256', one, 'hex');
    // Tags of a file carry the file's arrival; tags of records have a day of January.
    if (key === 'datetime' && !one.startsWith('2026-01-0')) return 'arrival';
    return nameOf.get(one) ?? one;
  });
  return JSON.parse(text);
};

/** All data that a client can read after a scenario. It is the same whatever happened on the way. */
export const readOutcome = async (service: TestService, { jobs, imports }: Told) => {
  const { client, property } = service;
  const reports: Record<string, unknown> = {};
  for (const [name, job] of Object.entries(jobs)) {
    const { counts } = await client.get(job, jobSchema);
    const { errors, paging } = await client.get(`${job}/errors`, errorsAnswer);
    const { warnings } = await client.get(`${job}/warnings`, warningsAnswer);
    const listed = await client.get(job.slice(0, job.lastIndexOf('/')), jobsAnswer);
    if (paging.next_page !== null) throw new Error('There are more refused rows than are compared.');
    reports[name] = comparable(
      { counts, errors, warnings, jobs: listed.jobs.map((one) => [one.name, one.status]) },
      imports,
    );
  }
  const root = `/v1/${property}`;
  const lookups = await mapLimited(names, AT_ONCE, async (name) => {
    const { status, text } = await service.call('GET', `${root}/profile?${name}&explain=true`);
    return { name, status, found: status === 200 ? v.parse(profileAnswer, JSON.parse(text)) : undefined };
  });
  const uuidOf = (found: v.InferOutput<typeof profileAnswer> | undefined): string =>
    found?.profile.profile_uuid ?? '';
  /** The person with this first name. */
  const known = new Map(lookups.toReversed().map(({ name, found }) => [uuidOf(found), name]));
  const segments = await client.get(`${root}/segments`, segmentsAnswer);
  const members = await mapLimited(segments, AT_ONCE, async ({ id, name, type }) => {
    const path = `/v2/properties/${property}/segments/${id}/profiles`;
    const page = await client.get(path, segmentProfilesAnswer);
    const found = page.profiles.map(({ profile_uuid }) => known.get(profile_uuid ?? '') ?? 'a stranger');
    return [`${type} ${name}`, found.toSorted()] as const;
  });
  return {
    reports,
    people: lookups.map(({ name, status, found }) => ({
      name,
      status,
      same: known.get(uuidOf(found)),
      found: found && comparable(found, imports),
    })),
    segments: Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
};
export type Outcome = Awaited<ReturnType<typeof readOutcome>>;
