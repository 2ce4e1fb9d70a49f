/** A person who goes every way into the service and out of it, with words that nothing else has. */
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { finalCounts, identified, uploadSchema } from '../support/api-client.ts';
import { operate } from '../support/operate.ts';
import type { ReferenceEnricher } from '../support/reference-enricher.ts';
import type { TestService } from '../support/service.ts';
import { sftpClient } from '../../local/test/support/sftp-client.ts';
import type { SftpServer } from '../support/sftp-server.ts';
import { until } from '../support/until.ts';
import type { Receiver } from '../support/webhook-receiver.ts';
import { fieldMap } from '../support/field-map.ts';
import { segmentId, defineImport } from '../support/running.ts';

/**
 * Every value that only the person has contains `person`, a tag of the person `tag`, the names of files `file`. `other` is
 * somebody in the same files who stays.
 */
export const words = {
  ...{ person: 'zqannabel', tag: 'zqbeekeeping', file: 'zqletters' },
  other: 'zqneighbour',
};
export const email = `${words.person}@example.org`;

/** Who is outside of the service. */
export interface Outside {
  readonly enricher: ReferenceEnricher;
  readonly receiver: Receiver;
  readonly sftp: SftpServer;
}

/** The bucket of a customer. */
export const BUCKET = 'crm-inbox';
const PARTNER = '111122223333';

const jobs = v.looseObject({ jobs: v.array(v.looseObject({ id: v.number(), name: v.string() })) });
const madeExport = v.looseObject({
  id: v.string(),
  s3_destination: v.nullish(v.looseObject({ trust_policy: v.unknown(), permission_policy: v.unknown() })),
});
const location = v.looseObject({ location: v.string() });

const columns = ['email', 'first_name', 'tags', 'birthday'];

/** The person, with a cell that is dropped, a row of the person that is refused, and the other. */
const fileWith = (name: string): string =>
  [
    columns.join(','),
    `${email},${words.person} ${name},${words.tag},never`,
    `not an address,${words.person},${words.tag},`,
    `${words.other}@example.org,${words.other} ${name},,`,
    '',
  ].join('\n');

const ways = ({ service, outside }: { readonly service: TestService; readonly outside: Outside }) => {
  const { client, property, cloud, userEmail } = service;
  const at = (rest: string): string => `/v1/${property}/${rest}`;
  const post = (path: string, body: unknown) => client.post(at(path), body, v.unknown());
  const keyed = async (path: string, body: unknown): Promise<void> => {
    const headers = { 'idempotency-key': `${path}-${words.person}` };
    const { status, text } = await service.call('POST', at(path), { body: JSON.stringify(body), headers });
    if (status > 299) throw new Error(`${path} answered ${status}: ${text}`);
  };

  const defineVisitors = (): Promise<string> => {
    const field_maps = columns.map((name) => ({
      ...fieldMap(name),
      ...(name === 'birthday' && { on_bad_value: 'drop_cell' }),
    }));
    const notices = { webhook_url: outside.receiver.url, notification_email: userEmail };
    const mapping_fields = { required_fields: ['email'], field_maps };
    return defineImport(service, { name: 'Visitors', max_refused_share: null, mapping_fields, ...notices });
  };
  const upload = async (path: string, text: string, more: object = {}): Promise<string> => {
    const bytes = gzipSync(text);
    const file_name = `${words.file}-${crypto.randomUUID()}.csv.gz`;
    const body = { file_name, size: bytes.length, ...more };
    const { job_id, url, headers } = await client.post(`${path}/uploads`, body, uploadSchema);
    await (await fetch(url, { method: 'PUT', headers, body: bytes })).arrayBuffer();
    await finalCounts(client, `${path}/jobs/${job_id}`);
    return `${path}/jobs/${job_id}`;
  };
  return { service, outside, at, post, keyed, defineVisitors, upload, cloud };
};
type Ways = ReturnType<typeof ways>;

/** Requests about the person: profiles, an inspection, a preview. */
const byRequests = async ({ post, keyed }: Ways): Promise<void> => {
  const consent = [{ channel: 'email', state: 'withdrawn', source: words.person }];
  const tags = [{ datetime: '2026-01-01 00:00:00', tag: [words.tag] }];
  const phone_number = '+493012345678';
  const person = {
    email,
    unique_id: words.person,
    first_name: `${words.person} old`,
    last_name: words.person,
  };
  await keyed('profiles', { ...person, phone_number, tags, consent, social_token: `token-${words.person}` });
  // The file of an access request is then too long for an answer.
  await post('profiles', { ...person, extra_data: { [words.person]: '"'.repeat(150_000) } });
  const content = Buffer.from(fileWith('inspected')).toString('base64');
  await keyed('imports/inspect', { content });
  await post('segments/preview', { definition: { named: { type: 'tag', name: words.tag } } });
};

/** Asks for the erasure of somebody else by a tag with the word. The erasure waits for its schedule. */
const byErasure = async ({ post }: Ways): Promise<void> => {
  const name = `only ${words.tag}`;
  const tags = [{ datetime: '2026-01-01 00:00:00', tag: [name] }];
  await post('profiles', { email: `${words.other}@example.net`, tags });
  await post('erasures', { segment: { type: 'tag', name }, profiles: 1 });
};

/** Files and batches with the person: stored, repeated, undone, mended, only rehearsed. */
const byImports = async ({ service, post, defineVisitors, upload }: Ways): Promise<void> => {
  const { client, property, cloud } = service;
  const path = await defineVisitors();
  for (const name of ['first', 'second', 'second', 'third']) await upload(path, fileWith(name));
  const undone = await upload(path, fileWith('undone'));
  const rows = Array.from({ length: 1_001 }, () => `not an address,${words.person},,`);
  const refused = await upload(path, [columns.join(','), ...rows, ''].join('\n'));
  await service.call('GET', `${refused}/errors?format=csv`, { follow: true });
  await upload(path, fileWith('rehearsed'), { dry_run: true });
  const mended = await upload(path, fileWith('mended'));
  const { text } = await service.call('GET', `${mended}/errors?format=csv`);
  const body = text.replace('not an address', email);
  const headers = { 'content-type': 'text/csv' };
  if ((await service.call('POST', `${mended}/retry`, { body, headers })).status !== 202)
    throw new Error('the corrections were refused');
  const { id } = await client.post(`${path}/jobs`, { name: 'batch' }, identified);
  const records = [{ email, first_name: `${words.person} of a batch` }, { email: words.person }];
  await post('import-data', { name: 'b', import_job: id, records });
  const { username = '', password = '', sftp } = cloud.endpoints;
  using dropped = await sftpClient({ port: sftp?.port ?? 0, username, password });
  const name = `${words.file}-dropped.csv`;
  await dropped.put(`/${property}/imports/${path.split('/').at(-1)}/${name}`, fileWith('dropped'));
  const job = await until('the job of the dropped file', async () =>
    (await client.get(`${path}/jobs`, jobs)).jobs.find((one) => one.name === name),
  );
  for (const one of [id, job.id]) await finalCounts(client, `${path}/jobs/${one}`);
  await client.post(`${undone}/undo`, {}, v.unknown());
};

/** Exports with the person to every kind of receiver, a delta, a timeline with a moment, and an access request. */
const byExports = async ({ service, outside, at }: Ways): Promise<string> => {
  const { client, property, cloud, userEmail } = service;
  const { s3, sts } = cloud.parts.storage;
  const tagged = await segmentId(service, words.tag);
  const segment = [tagged];
  const make = (more: object) => client.post(at('exports'), { segment, ...more }, madeExport);
  s3.createBucket(BUCKET, { account: PARTNER, region: 'eu-central-1' });
  const role_arn = `arn:aws:iam::${PARTNER}:role/tidemark-destination-crm`;
  const s3_destination = { bucket: BUCKET, region: 'eu-central-1', role_arn };
  const bucketed = await make({ s3_destination, start: false });
  const { trust_policy: trust, permission_policy: policy } = bucketed.s3_destination ?? {};
  sts.putRole({ arn: role_arn, trust, policy });
  await client.post(at(`exports/${bucketed.id}/jobs`), {}, v.unknown());
  const credentials = { domain: `127.0.0.1:${outside.sftp.port}`, client_id: 'receiver' };
  await make({ destination_credentials: credentials, compression: 'gzip' });
  await make({ scope: 'delta' });
  const calls = outside.receiver.calls.length;
  await make({ webhook_url: outside.receiver.url, notification_email: userEmail });
  const call = await until('the webhook of the export', () => outside.receiver.calls[calls]);
  const file = await (await fetch(v.parse(location, JSON.parse(call.body)).location)).text();
  const timeline = { name: 'Keepers', reference_tile: tagged };
  await client.post(`/v2/properties/${property}/timelines`, timeline, v.unknown());
  await service.call('GET', at(`profile/access-request?email=${email}`), { follow: true });
  return file;
};

/**
 * Lets the person go every way. Ends when nothing is under way any more but a question to an enricher, which cannot be
 * asked. Returns the file of an export as whoever has its location got it.
 */
export const goEverywhere = async (service: TestService, outside: Outside): Promise<string> => {
  const own = ways({ service, outside });
  const { property, cloud } = service;
  const enricher = { name: 'network', url: outside.enricher.url, asks: 'social_token' };
  const command = { command: 'enricher.set', property, ...enricher, tiers: ['social_network'] };
  await operate(service, { command: 'property.set', property, search_names: 'on' });
  const told = v.parse(v.looseObject({ secret: v.string() }), await operate(service, command));
  outside.enricher.useSecret(told.secret);
  await byRequests(own);
  await byImports(own);
  await cloud.idle();
  const file = await byExports(own);
  await byErasure(own);
  await cloud.idle();
  // The question stays in its queue.
  cloud.gateway.failing('enrich');
  await own.post('profiles', { email, social_token: `other-${words.person}` });
  return file;
};
