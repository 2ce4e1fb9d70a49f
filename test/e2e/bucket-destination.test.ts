import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { deliveriesAnswer, exportTestAnswer } from '../../shared/exports/model/answers.ts';
import { keys } from '../../shared/table/keys.ts';
import { identified } from '../support/api-client.ts';
import { tableNames } from '../support/table-names.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { until } from '../support/until.ts';
import { segmentId } from '../support/running.ts';

const PARTNER = '111122223333';
const region = 'eu-central-1';
const created = v.looseObject({
  id: v.string(),
  s3_destination: v.looseObject({
    external_id: v.string(),
    trust_policy: v.unknown(),
    permission_policy: v.unknown(),
  }),
});
type Created = v.InferOutput<typeof created>;
const jobShape = v.looseObject({ id: v.string(), status: v.string(), file_name: v.nullable(v.string()) });

const uploadItems = v.looseObject({
  body: v.looseObject({ Items: v.array(v.looseObject({ upload: v.object({ S: v.string() }) })) }),
});

const roleOf = (name: string): string => `arn:aws:iam::${PARTNER}:role/tidemark-destination-${name}`;

describe('an export to the bucket of another account', () => {
  let service: Service;
  let segment = 0;

  shared.beforeAll(async ({ service: own }) => {
    service = own;
    const { client, property, cloud } = service;
    cloud.parts.storage.s3.createBucket('crm-inbox', { account: PARTNER, region });
    await client.post(`/v1/${property}/profiles`, { email: 'ada@example.org' }, v.unknown());
    segment = await segmentId(service);
  }, 180_000);

  /** A definition whose role its client has not made yet. */
  const define = (name: string, more: object = {}): Promise<Created> => {
    const s3_destination = { bucket: 'crm-inbox', region, role_arn: roleOf(name) };
    const body = { segment: [segment], start: false, s3_destination, directory: `/${name}/`, ...more };
    return service.client.post(`/v1/${service.property}/exports`, body, created);
  };

  /** What the client does: pastes both policies into a role. */
  const makeRole = (name: string, { s3_destination }: Created): void => {
    const { trust_policy: trust, permission_policy: policy } = s3_destination;
    service.cloud.parts.storage.sts.putRole({ arn: roleOf(name), trust, policy });
  };

  const run = async ({ id }: Created): Promise<{ readonly deliveries: string; readonly name: string }> => {
    const { client, property } = service;
    const jobs = `/v1/${property}/exports/${id}/jobs`;
    const job = await client.post(jobs, {}, jobShape);
    const ended = await until('the job', async () => {
      const read = await client.get(`${jobs}/${job.id}`, jobShape);
      return read.status === 'complete' ? read : undefined;
    });
    return { deliveries: `${jobs}/${job.id}/deliveries`, name: ended.file_name ?? '' };
  };

  /** The delivery to the bucket, once it is in this state. */
  const delivery = (deliveries: string, state: string) =>
    until(`a delivery that is ${state}`, async () => {
      const listed = (await service.client.get(deliveries, deliveriesAnswer)).deliveries;
      const found = listed.find(({ kind }) => kind === 's3');
      return found?.state === state ? found : undefined;
    });

  /** Replays a delivery, once no attempt is under way. */
  const replayed = (path: string) =>
    until('a replay', async () => {
      const { status } = await service.call('POST', `${path}/replay`);
      return status === 202 ? true : undefined;
    });

  const stored = async (key: string): Promise<string | undefined> =>
    (await service.cloud.parts.storage.s3.get('crm-inbox', key))?.toString();

  const test = ({ id }: Created) =>
    service.client.post(`/v1/${service.property}/exports/${id}/test`, {}, exportTestAnswer);

  it('is tested, and arrives by the role that the client made from the two policies of the answer', async () => {
    const made = await define('crm');
    const { steps } = await test(made);
    expect(steps.map(({ step, result }) => [step, result])).toEqual([
      ['assume_role', 'failed'],
      ['put_object', 'skipped'],
      ['delete_object', 'skipped'],
    ]);
    expect(steps[0]?.message).toContain(made.s3_destination.external_id);
    makeRole('crm', made);
    expect(await test(made)).toMatchObject({ ok: true });
    expect(service.cloud.parts.storage.s3.list('crm-inbox', 'crm/')).toEqual([]);
    const { deliveries, name } = await run(made);
    await delivery(deliveries, 'delivered');
    expect(await stored(`crm/${name}`)).toContain('ada@example.org');
  });

  it('waits for its role, says what to do, and arrives after a replay', async () => {
    const made = await define('late');
    const { deliveries, name } = await run(made);
    const { id, last_error } = await delivery(deliveries, 'retrying');
    expect(last_error).toContain(
      'the role does not let the service assume it; give arn:aws:iam::111122223333',
    );
    expect(last_error).toContain(made.s3_destination.external_id);
    makeRole('late', made);
    await replayed(`${deliveries}/${id}`);
    await delivery(deliveries, 'delivered');
    expect(await stored(`late/${name}`)).toContain('ada@example.org');
  });

  it('sends no older file of the same name, though its client replays that file', async () => {
    const made = await define('twice', { file_name: 'list.csv' });
    const older = await run(made);
    const { id } = await delivery(older.deliveries, 'retrying');
    await service.client.post(
      `/v1/${service.property}/profiles`,
      { email: 'grace@example.org' },
      v.unknown(),
    );
    const newer = await run(made);
    const { id: newest } = await delivery(newer.deliveries, 'retrying');
    makeRole('twice', made);
    const { status, text } = await service.call('POST', `${older.deliveries}/${id}/replay`);
    expect(status).toBe(409);
    expect(text).toContain('A newer run has the same file name; this older file was not sent.');
    await replayed(`${newer.deliveries}/${newest}`);
    await delivery(newer.deliveries, 'delivered');
    expect(await stored('twice/list.csv')).toContain('grace@example.org');
  });

  it('that its role may not write is refused, and the bucket shows nothing', async () => {
    const made = await define('weak');
    const policy = { Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] };
    service.cloud.parts.storage.sts.putRole({
      arn: roleOf('weak'),
      trust: made.s3_destination.trust_policy,
      policy,
    });
    const { deliveries } = await run(made);
    const { last_error } = await delivery(deliveries, 'retrying');
    expect(last_error).toContain('the bucket refused the service; give');
    expect(service.cloud.parts.storage.s3.list('crm-inbox', 'weak/')).toEqual([]);
  });

  it('of another property cannot use the role, because its external id is another', async () => {
    const made = await define('deputy');
    makeRole('deputy', made);
    const { cloud } = service;
    const call = service.call.bind(service);
    const other = v.parse(v.object({ property_id: v.number() }), cloud.endpoints.other).property_id;
    const as = 'other' as const;
    const record = { body: JSON.stringify({ email: 'bo@example.org' }), as };
    await call('POST', `/v1/${other}/profiles`, record);
    const answer = await call('GET', `/v1/${other}/segments?name=everyone`, { as });
    const [everyone] = v.parse(v.array(identified), JSON.parse(answer.text));
    const s3_destination = { bucket: 'crm-inbox', region, role_arn: roleOf('deputy') };
    const body = JSON.stringify({ segment: [everyone?.id], s3_destination, directory: 'deputy' });
    const posted = await call('POST', `/v1/${other}/exports`, { body, as });
    const { id, s3_destination: shown } = v.parse(created, JSON.parse(posted.text));
    expect(shown.external_id).not.toBe(made.s3_destination.external_id);
    const deliveries = await until('the other delivery', async () => {
      const jobs = await call('GET', `/v1/${other}/exports/${id}/jobs`, { as });
      const parsed = v.parse(
        v.looseObject({ jobs: v.array(v.looseObject({ deliveries: deliveriesAnswer.entries.deliveries })) }),
        JSON.parse(jobs.text),
      );
      return parsed.jobs[0]?.deliveries.find(({ state }) => state === 'retrying');
    });
    expect(deliveries.last_error).toContain('the role does not let the service assume it');
    expect(service.cloud.parts.storage.s3.list('crm-inbox', 'deputy/')).toEqual([]);
  });

  it('goes on with the same upload after AWS failed in the middle of it', async () => {
    const { cloud, property } = service;
    const made = await define('broken');
    makeRole('broken', made);
    let failing: (() => void) | undefined;
    const stop = cloud.gateway.observeCalls(({ caller, action }) => {
      if (caller === 'tidemark-destination-broken' && action === 's3:ListMultipartUploadParts')
        failing ??= cloud.gateway.failing(caller);
    });
    const { deliveries, name } = await run(made);
    const { last_error } = await delivery(deliveries, 'retrying');
    expect(last_error).toBe('AWS did not answer in time; the service tries again');
    expect(await stored(`broken/${name}`)).toBeUndefined();
    const begun = async (): Promise<readonly string[]> => {
      const { pk } = keys.exportUpload(property, Number(made.id), 0);
      const values = { ':pk': { S: pk }, ':begin': { S: 'UPLOAD#' } };
      const { body } = v.parse(
        uploadItems,
        await cloud.parts.storage.table.call('Query', {
          TableName: tableNames.table,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk and begins_with(sk, :begin)',
          ExpressionAttributeValues: values,
        }),
      );
      return body.Items.map(({ upload }) => upload.S);
    };
    expect(await begun()).toHaveLength(1);
    failing?.();
    stop();
    await delivery(deliveries, 'delivered');
    expect(await stored(`broken/${name}`)).toContain('ada@example.org');
    expect(await begun()).toEqual([]);
  });
});
