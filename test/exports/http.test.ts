import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { completeJobs, defineExport, segmentId } from '../support/running.ts';
import { jobsAnswer } from '../../shared/exports/model/answers.ts';

const made = v.looseObject({ id: v.string(), status: v.string() });
const manifest = v.looseObject({
  columns: v.array(v.string()),
  rows: v.number(),
  sha256: v.string(),
  segments: v.array(v.object({ id: v.number(), profiles: v.number() })),
  watermark: v.pipe(v.string(), v.isoTimestamp()),
});

const HOUR = 3_600_000;

describe('exports of the running service', () => {
  let service: TestService;
  let everyone: number;
  /** How far the clock of schedules is ahead of the machine's, in milliseconds. */
  let ahead = 0;
  beforeAll(async () => {
    service = await startService({ now: () => Date.now() + ahead });
    everyone = await segmentId(service);
    await store('first');
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const at = (rest: string): string => `/v1/${service.property}/${rest}`;
  const store = (name: string) =>
    service.client.post(at('profiles'), { email: `${name}@example.org`, tags: tagsOf(name) }, v.unknown());
  const tagsOf = (name: string) => [{ datetime: '2026-01-02 03:04:05', tag: [name] }];
  const create = (more: object = {}): Promise<string> =>
    defineExport(service, { segment: [everyone], field_set: 'email', ...more });
  /** Lets the tasks that are due be looked at, as every minute. */
  const look = async (): Promise<void> => {
    expect(await service.cloud.invoke('reconcileTasks', {})).toMatchObject({ ok: true });
  };
  const textAt = async (address: string | null | undefined): Promise<string> =>
    (await fetch(address ?? '')).text();
  const call = async (method: string, rest: string, body?: unknown) => {
    const answer = await service.call(
      method,
      at(rest),
      body === undefined ? {} : { body: JSON.stringify(body) },
    );
    return { status: answer.status, body: v.parse(v.looseObject({}), JSON.parse(answer.text)) };
  };

  it('are run again as deltas, with a manifest', async () => {
    const id = await create({ scope: 'delta' });
    const [first] = await completeJobs(service, id);
    await store('second');
    expect(await call('POST', `exports/${id}/jobs`)).toMatchObject({
      status: 202,
      body: { status: 'pending' },
    });
    const [second] = await completeJobs(service, id, 2);
    expect(second?.delta_from).toBe(first?.id);
    // Profiles stored shortly before the first plan are in the delta again.
    expect(await textAt(second?.location)).toBe(
      'change,email\r\nchanged,first@example.org\r\nadded,second@example.org\r\n',
    );
    const described = v.parse(manifest, JSON.parse(await textAt(second?.manifest)));
    expect(described).toMatchObject({
      columns: ['change', 'email'],
      rows: 2,
      segments: [{ id: everyone, profiles: 2 }],
    });
  });

  it('of types hold the segments that there are, and show them', async () => {
    const id = await create({ segment: null, tile_types: ['tag'] });
    const { body } = await call('GET', `exports/${id}`);
    const { segment } = v.parse(v.object({ segment: v.array(v.number()) }), body);
    expect(body).toMatchObject({ tile_types: ['tag'] });
    const tags = await service.client.get(
      at('segments?limit=1000'),
      v.array(v.looseObject({ id: v.number(), type: v.string() })),
    );
    expect(segment).toEqual(tags.filter(({ type }) => type === 'tag').map((one) => one.id));
    const [done] = await completeJobs(service, id);
    expect(done?.rows).toBe(2);
  });

  it('wait for the one that runs, one at most, and are cancelled, running or not', async () => {
    const restore = service.cloud.gateway.withoutAction('assembleExport', 'dynamodb:PartiQLUpdate');
    const again = async (id: string) => v.parse(made, (await call('POST', `exports/${id}/jobs`)).body).id;
    const cancel = (id: string, job: string) => call('POST', `exports/${id}/jobs/${job}/cancel`);
    const statuses = async (id: string): Promise<readonly string[]> =>
      (await service.client.get(at(`exports/${id}/jobs`), jobsAnswer)).jobs.map(({ status }) => status);
    const id = await create();
    try {
      const waiting = await again(id);
      expect(await again(id)).toBe(waiting);
      expect(await cancel(id, waiting)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
      expect(await call('GET', `exports/${id}/jobs/${waiting}`)).toMatchObject({
        body: { status: 'cancelled', location: null },
      });
      await until('a running job', async () => (await statuses(id))[1] === 'running' || undefined);
      const [, running] = (await service.client.get(at(`exports/${id}/jobs`), jobsAnswer)).jobs;
      expect(await cancel(id, running?.id ?? '')).toMatchObject({
        status: 200,
        body: { status: 'cancelled' },
      });
      expect(await statuses(id)).toEqual(['cancelled', 'cancelled']);
    } finally {
      restore();
    }
    const [third, fourth] = [await again(id), await again(id)];
    expect(third).not.toBe(fourth);
    await until(
      'both jobs',
      async () => (await statuses(id)).slice(0, 2).every((one) => one === 'complete') || undefined,
    );
    expect(await cancel(id, fourth)).toMatchObject({ status: 409, body: { code: 'job_ended' } });
  });

  it('run when the clock says so, once though it is told twice', async () => {
    const id = await create({ schedule: { minute: '0' } });
    await look();
    const time = Math.ceil(Date.now() / HOUR) * HOUR;
    ahead = time - Date.now();
    const [job] = await completeJobs(service, id);
    const told = {
      v: 1,
      property: service.property,
      export: Number(id),
      revision: 1,
      time: new Date(time),
      catches_up: false,
    };
    const Records = [{ messageId: randomUUID(), receiptHandle: randomUUID(), body: JSON.stringify(told) }];
    const again = [1, 2, 3].map(() => service.cloud.invoke('runScheduled', { Records }));
    for (const outcome of await Promise.all(again))
      expect(outcome).toEqual({ ok: true, payload: '{"batchItemFailures":[]}' });
    expect(await completeJobs(service, id)).toMatchObject([{ id: job?.id }]);
    expect((await call('DELETE', `exports/${id}`)).status).toBe(200);
    ahead = 0;
  });

  it('run when their schedule says so, once for a time told twice, and no more once they are deleted', async () => {
    const id = await create({ schedule: { minute: '0' } });
    await look();
    expect((await call('GET', `exports/${id}`)).body).toMatchObject({ status: 'scheduled' });
    const name = `p${service.property}-export-${id}-r1-0`;
    await service.cloud.fireSchedule(name);
    await completeJobs(service, id);
    expect(
      await call('PUT', `exports/${id}`, { segment: [everyone], schedule: { hour: '5' } }),
    ).toMatchObject({
      status: 200,
      body: { schedule: { hour: '5' }, field_set: 'all', status: 'complete' },
    });
    await look();
    await expect(service.cloud.fireSchedule(name)).rejects.toThrow('no schedule');
    const next = name.replace('r1', 'r2');
    // Fired within one second it would be the same scheduled time.
    await until('a second run', async () => {
      await service.cloud.fireSchedule(next);
      return (await service.client.get(at(`exports/${id}/jobs`), jobsAnswer)).jobs.length > 1 || undefined;
    });
    expect(await call('DELETE', `exports/${id}`)).toMatchObject({ status: 200, body: { id } });
    await look();
    await expect(service.cloud.fireSchedule(next)).rejects.toThrow('no schedule');
    expect((await call('GET', `exports/${id}`)).status).toBe(404);
    expect((await call('DELETE', `exports/${id}`)).status).toBe(404);
  });
});
