import { describe, expect, it } from 'vitest';
import { check } from '../../shared/http/schema-faults.ts';
import { exportBody } from '../../shared/exports/model/schemas.ts';
import type { Consent } from '../../shared/profiles/consent.ts';
import { bodyOf, exportsHarness, type ExportsHarness, profile, segment } from './harness.ts';
import { columnsOf, fileOf, jobRef, manifestOf, path, ref, runJob } from './steps.ts';

const HOUR = 3_600_000;

/** Stores a person now, and keeps the members of the segments of e-mail consent. */
const say = (harness: ExportsHarness, ordinal: number, state: Consent['state'] | undefined): void => {
  const { fakes } = harness;
  const said = state && { channel: 'email', state, datetime: '2026-01-01 00:00:00', source: null };
  const fields = { email: `p${ordinal}@example.test` };
  fakes.profiles.set(
    ordinal,
    profile(ordinal, { fields, consent: said ? [said] : [], updatedAt: fakes.now }),
  );
  for (const one of ['given', 'withdrawn']) {
    const id = fakes.named.get(`email: ${one}`);
    const others = (id === undefined ? [] : (fakes.members.get(id) ?? [])).filter((each) => each !== ordinal);
    if (id !== undefined) fakes.members.set(id, one === state ? [...others, ordinal] : others);
  }
};

const GIVEN = segment(90);

/** People 1 to 4 of a segment: 1 and 2 have given consent, 3 has withdrawn it. */
const scene = (): ExportsHarness => {
  const harness = exportsHarness();
  harness.fakes.named.set('email: given', GIVEN);
  harness.fakes.members.set(GIVEN, []);
  harness.fakes.members.set(segment(2), [1, 2, 3, 4]);
  for (const ordinal of [1, 2]) say(harness, ordinal, 'given');
  say(harness, 3, 'withdrawn');
  say(harness, 4, undefined);
  harness.fakes.now += HOUR;
  return harness;
};

const consent = { channel: 'email', state: 'given' };
const body = { segment: [segment(2)], field_set: 'email', consent };

/** The rows of the `n`-th job, without the header. */
const run = async (harness: ExportsHarness, n = 1, before?: () => void): Promise<readonly string[]> => {
  harness.fakes.now += HOUR;
  if (n > 1) bodyOf(await harness.runAgain(path));
  const { shards } = await harness.plan(jobRef(n));
  before?.();
  for (const { shard } of shards) await harness.part(jobRef(n), shard);
  await harness.assemble(jobRef(n));
  const { rows } = await fileOf(harness, ',', jobRef(n));
  return rows.slice(1).map((row) => row.join(' '));
};

describe('an export of people with consent', () => {
  it('has the members of its segments who have given it, and shows the filter', async () => {
    const harness = scene();
    expect(bodyOf(await harness.create(body))).toMatchObject({ consent });
    expect(await run(harness)).toEqual(['p1@example.test', 'p2@example.test']);
    expect(bodyOf(await harness.read(path))).toMatchObject({ consent });
    expect(await manifestOf(harness)).toMatchObject({
      consent,
      members: 2,
      segments: [{ id: segment(2), profiles: 2 }],
    });
  });

  it('has nobody while nobody has given it, and everybody of a segment that is made later', async () => {
    const harness = exportsHarness();
    harness.fakes.members.set(segment(2), [1, 2]);
    for (const ordinal of [1, 2]) say(harness, ordinal, undefined);
    bodyOf(await harness.create(body));
    expect(await run(harness)).toEqual([]);
    harness.fakes.named.set('email: given', GIVEN);
    harness.fakes.members.set(GIVEN, []);
    say(harness, 2, 'given');
    expect(await run(harness, 2)).toEqual(['p2@example.test']);
    // The segment was deleted while it was empty, and has another id now.
    harness.fakes.named.set('email: given', segment(91));
    harness.fakes.members.delete(GIVEN);
    harness.fakes.members.set(segment(91), []);
    say(harness, 1, 'given');
    expect(await run(harness, 3)).toEqual(['p1@example.test']);
  });

  it('fails, and is not empty, if the property had no room for the segment of the consent', async () => {
    const harness = exportsHarness();
    harness.fakes.members.set(segment(2), [1]);
    say(harness, 1, 'given');
    harness.fakes.isFull = true;
    bodyOf(await harness.create(body));
    expect(await harness.plan(ref)).toMatchObject({ status: 'failed', shards: [] });
    const job = bodyOf(await harness.readJob(path));
    expect(job).toMatchObject({ status: 'failed', error: { code: 'no_consent_segment' } });
    expect(JSON.stringify(job)).toContain('run the export again');
  });

  it('is made in a full property too, if the segment of the consent exists', async () => {
    const harness = scene();
    harness.fakes.isFull = true;
    bodyOf(await harness.create(body));
    expect(await run(harness)).toEqual(['p1@example.test', 'p2@example.test']);
  });

  it('as a delta names people as removed when they lose their consent, and as added when they give it', async () => {
    const harness = scene();
    bodyOf(await harness.create({ ...body, scope: 'delta' }));
    expect(await run(harness)).toEqual(['added p1@example.test', 'added p2@example.test']);
    harness.fakes.now += HOUR;
    say(harness, 1, 'withdrawn');
    say(harness, 3, 'given');
    expect(await run(harness, 2)).toEqual(['removed p1@example.test', 'added p3@example.test']);
  });

  it('leaves out somebody who withdraws while the file is made', async () => {
    const harness = scene();
    bodyOf(await harness.create(body));
    expect(await run(harness, 1, () => say(harness, 1, 'withdrawn'))).toEqual(['p2@example.test']);
  });

  it('as a delta removes somebody who withdraws while the file is made, and adds nobody who did', async () => {
    const harness = scene();
    bodyOf(await harness.create({ ...body, scope: 'delta' }));
    await run(harness);
    harness.fakes.now += HOUR;
    say(harness, 3, 'given');
    const withdraw = (): void => {
      for (const ordinal of [1, 3]) say(harness, ordinal, 'withdrawn');
    };
    expect(await run(harness, 2, withdraw)).toEqual(['removed p1@example.test']);
    // The members were frozen before the withdrawals, so the next delta says once more that these people are out.
    expect(await run(harness, 3)).toEqual(['removed p1@example.test', 'removed p3@example.test']);
  });

  it('filters the people of each of its segments, and counts those with the consent', async () => {
    const harness = scene();
    harness.fakes.members.set(segment(3), [2, 4]);
    bodyOf(await harness.create({ ...body, segment: [segment(2), segment(3)] }));
    expect(await run(harness)).toEqual(['p1@example.test', 'p2@example.test']);
    expect(await manifestOf(harness)).toMatchObject({
      segments: [
        { id: segment(2), profiles: 2 },
        { id: segment(3), profiles: 1 },
      ],
    });
  });

  it('can have the state of a channel as a column', async () => {
    const harness = scene();
    bodyOf(await harness.create({ segment: [segment(2)], ...columnsOf('email', 'consent.email') }));
    await runJob(harness, ref);
    const { rows } = await fileOf(harness);
    expect(rows).toEqual([
      ['email', 'consent.email'],
      ['p1@example.test', 'given'],
      ['p2@example.test', 'given'],
      ['p3@example.test', 'withdrawn'],
      ['p4@example.test', ''],
    ]);
  });

  it.each([
    [{ channel: 'E-Mail', state: 'given' }, '/consent/channel wrong_format'],
    [{ channel: 'email', state: 'yes' }, '/consent/state not_allowed'],
    [{ channel: 'email' }, '/consent/state required'],
    [{ channel: 'email', state: 'given', more: 1 }, '/consent/more unknown_field'],
  ])('is refused with the filter %j', (filter, fault) => {
    const checked = check(exportBody, { ...body, consent: filter });
    expect(checked.ok ? [] : checked.faults.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      fault,
    ]);
  });
});
