import { hash } from 'node:crypto';
import * as v from 'valibot';
import { jobSchema } from '../../cli/import-client.ts';
import { errorsAnswer, jobsAnswer, warningsAnswer } from '../../shared/imports/model/schemas.ts';
import { profileAnswer } from '../../shared/profiles/schemas.ts';
import { mapLimited } from '../../shared/runtime/pool.ts';
import { segmentProfilesAnswer, segmentsAnswer } from '../../shared/segments/schemas.ts';
import type { TestService } from '../support/service.ts';
import type { Told } from './import-run.ts';
import { names } from './import-story.ts';

const AT_ONCE = 1;
/** Characters of a text that is compared by its hash: a difference is to stay readable. */
const LONG = 1_000;

/** What is another in every run: ids that are drawn, and the times of acceptance. */
const drawn = new Set(['profile_uuid', 'batch_job_uuid', 'stamp']);

/** A value without what is another in every run; definitions by their names, lists of sets in one order. */
const comparable = (value: unknown, imports: Told['imports']): unknown => {
  const nameOf = new Map(Object.entries(imports).map(([name, id]) => [`import:${id}`, name]));
  const text = JSON.stringify(value, (key, one: unknown) => {
    if (drawn.has(key)) return undefined;
    if (typeof one !== 'string') return one;
    if (one.length > LONG) return hash('sha256', one, 'hex');
    // Tags of a file carry its arrival; those of records were given a day of January.
    if (key === 'datetime' && !one.startsWith('2026-01-0')) return 'arrival';
    return nameOf.get(one) ?? one;
  });
  return JSON.parse(text);
};

/** All that a client can read of what a story has left: the same whatever happened on the way. */
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
  /** A person by the first name that finds them. */
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
