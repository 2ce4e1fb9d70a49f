import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import type { Payload } from '../../cli/admin-commands.ts';
import { askOperator, findTarget } from '../../cli/admin-service.ts';
import { runAudit } from '../../cli/audit.ts';
import { callerOf } from '../scenes/operations.ts';
import { startService, type TestService } from '../support/service.ts';
import { finishedExport, identified, importFile, segmentOf, tagged } from '../releases/concert-hall.ts';
import { readAll } from '../releases/read-all.ts';
import { releasedAnswers, releases, unpackData } from '../releases/release-files.ts';
import { newFolders, ofCheckout } from '../../local/test/support/folders.ts';

const newFolder = newFolders(ofCheckout);

const anything = v.unknown();
const withMoments = v.looseObject({ ...identified.entries, moments: v.array(identified) });

describe.each(releases)('the data folder of %s', (version) => {
  const dataDir = newFolder();
  const endpointsFile = join(dataDir, 'endpoints.json');
  const opened: { service?: TestService } = {};

  beforeAll(async () => {
    unpackData(version, dataDir);
    opened.service = await startService({
      ...{ dataDir, endpointsFile, context: { momentIntervalSeconds: '1' } },
      // The folder has the data of one engine.
      tableEngine: undefined,
    });
  }, 200_000);

  afterAll(async () => {
    await opened.service?.[Symbol.asyncDispose]();
  });

  const running = () => {
    if (opened.service === undefined) throw new Error(`The folder of ${version} was not opened`);
    return { service: opened.service, send: callerOf(opened.service) };
  };

  const audited = async () => {
    const target = await findTarget({}, endpointsFile);
    const payload = { command: 'audit', property: running().service.property };
    return runAudit(payload, (one: Payload) => askOperator(one, target, 'auditIndex'), true);
  };

  it('is answered for as the release answered', async () => {
    const { send, service } = running();
    const answers = await readAll(send, service.cloud.baseUrl);
    const released = releasedAnswers(version);
    expect(Object.keys(released).length).toBeGreaterThan(20);
    // Later versions may tell more.
    expect(answers).toMatchObject(released);
  });

  it('is complete: an audit finds no difference', async () => {
    expect(await audited()).toMatchObject({ ok: true, missing: 0, extra: 0 });
  });

  it('goes on: people are joined, a file is imported, and a moment tells who came and who left', async () => {
    const { send } = running();
    const [timeline] = await send('listTimelines', {}, v.tuple([withMoments]));
    const path = { timeline_id: Number(timeline.id) };
    const last = Math.max(...timeline.moments.map(({ id }) => Number(id)));
    await send('createProfile', { body: tagged('clara@example.org', 'Opera', { city: 'Bonn' }) }, anything);
    const { imports } = await send('listImports', {}, v.looseObject({ imports: v.tuple([identified]) }));
    await importFile(
      send,
      Number(imports[0].id),
      [
        'E-mail;Name;City;Tags;Newsletter',
        'guest1@example.org;Guest 1;Bonn;Jazz;no',
        'guest40@example.org;Guest 40;Bonn;Jazz;yes',
        '',
      ].join('\n'),
    );
    await send('forgetProfile', { query: { email: 'guest4@example.org' } }, anything);
    const moment = await send('createMoment', { path }, identified);
    const person = v.looseObject({ email: v.string() });
    const { added } = await send(
      'listTimelineChanges',
      { path, query: { from: last, to: Number(moment.id), limit: 100 } },
      v.looseObject({ added: v.array(person) }),
    );
    expect(added.map(({ email }) => email).toSorted()).toEqual(['guest1@example.org', 'guest40@example.org']);
  });

  it('goes on: the next file of an export tells who came and who left since the file of the release', async () => {
    const { send } = running();
    const { exports } = await send('listExports', {}, v.looseObject({ exports: v.tuple([identified]) }));
    const { status, location, delta_from } = await finishedExport(send, Number(exports[0].id));
    expect(status).toBe('complete');
    const rows = (await (await fetch(location ?? '')).text()).split('\r\n');
    const came = rows.filter((row) => row.startsWith('added,') || row.startsWith('removed,'));
    // The file of the release is the base of the next one for 400 days. After that the file has everyone.
    const guests = delta_from === null ? [0, 8, 12, 16, 20, 24, 28, 32, 36, 40] : [40];
    const others = delta_from === null ? ['added,clara@example.org,Clara'] : [];
    expect(came.toSorted()).toEqual(
      [...others, ...guests.map((index) => `added,guest${index}@example.org,`)].toSorted(),
    );
  });

  it('stays complete: the people of a segment are exactly those of before, and an audit finds no difference', async () => {
    const { send } = running();
    const page = await send(
      'listSegmentProfiles',
      { path: { segment_id: await segmentOf(send, 'Jazz') }, query: { limit: 100 } },
      v.looseObject({ profiles: v.array(v.looseObject({ email: v.string() })) }),
    );
    const even = Array.from({ length: 20 }, (_, index) => `guest${2 * index}@example.org`);
    const jazz = even.filter((email) => !['guest2@example.org', 'guest4@example.org'].includes(email));
    const others = ['clara@example.org', 'late@example.org', 'guest1@example.org', 'guest40@example.org'];
    expect(page.profiles.map(({ email }) => email).toSorted()).toEqual([...jazz, ...others].toSorted());
    expect(await audited()).toMatchObject({ ok: true, missing: 0, extra: 0 });
  });
});
