/** Deliveries of exports: files and notices to the receivers of customers, and the addresses of e-mails. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { keys } from '../../shared/table/keys.ts';
import { changeItem, putItem } from '../support/items.ts';
import { until } from '../support/until.ts';
import {
  jobThat,
  makeExport,
  removeObjects,
  runExport,
  secondPage,
  type Cast,
  type ExportJob,
  type Extra,
} from './cast.ts';
import type { Stage } from './stage.ts';

export const exportJob = v.looseObject({
  id: v.string(),
  status: v.string(),
  location: v.nullable(v.string()),
  deliveries: v.array(v.looseObject({ kind: v.string(), state: v.string() })),
});

const mails = v.array(v.object({ to: v.array(v.string()), text: v.string() }));

/** Waits until all deliveries of a job have arrived. */
export const delivered = (stage: Stage, path: ExportJob): Promise<true> =>
  until('all deliveries', async () => {
    const { deliveries } = await stage.call('getExportJob', { path }, exportJob);
    return (deliveries.length > 0 && deliveries.every(({ state }) => state === 'delivered')) || undefined;
  });

export const playDeliveries = async (stage: Stage, path: ExportJob): Promise<void> => {
  await stage.show('listDeliveries', { path });
  const delivery = `${path.job_id}-webhook`;
  await stage.show('getDelivery', { path: { ...path, delivery } });
  await stage.show('replayDelivery', { path: { ...path, delivery } });
  await delivered(stage, path);
};

/** An address of another person gets a link, which opens a page with a button. */
export const playConfirmation = async ({ show, call, service }: Stage, segment: number): Promise<void> => {
  const partner = 'partner@example.org';
  await call('createExport', { body: { segment: [segment], notification_email: partner } });
  const link = await until('the link', async () => {
    const inbox = v.parse(mails, await (await fetch(service.cloud.endpoints.inbox_url)).json());
    const text = inbox.find(({ to }) => to.includes(partner))?.text ?? '';
    return /\/confirmations\/(\S+)/.exec(text)?.[1];
  });
  await show('showConfirmation', { path: { capability: link } });
  await show('confirmAddress', { path: { capability: link } });
  await show('listNotificationEmails', { query: { limit: 2 } });
  await show('withdrawNotificationEmail', { query: { notification_email: partner } });
};

const pushed = ({ sftp }: Stage) => ({ destination_credentials: { domain: sftp, client_id: 'receiver' } });

const madeForBucket = v.looseObject({
  id: v.string(),
  s3_destination: v.looseObject({ trust_policy: v.unknown(), permission_policy: v.unknown() }),
});

/** A new export to the bucket of another account, with the role that opens the bucket. */
const makeBucketed = async ({ call, service, everyone, fresh }: Cast): Promise<number> => {
  const { s3, sts } = service.cloud.parts.storage;
  const arn = `arn:aws:iam::111122223333:role/tidemark-destination-${fresh()}`;
  const s3_destination = { bucket: 'exercised', region: 'us-east-1', role_arn: arn };
  const body = { segment: [everyone], start: false, s3_destination };
  const bucketed = await call('createExport', { body }, madeForBucket);
  const { trust_policy: trust, permission_policy: policy } = bucketed.s3_destination;
  s3.createBucket('exercised', { account: '111122223333' });
  sts.putRole({ arn, trust, policy });
  return Number(bucketed.id);
};

/** Sends files and notices once more when the files and the members are gone, as a replay and as its workflow. */
const deliverGone = async (
  cast: Cast,
  path: ExportJob,
  functions: Readonly<Record<string, string>>,
): Promise<void> => {
  const { call, service } = cast;
  const { property, cloud } = service;
  const { export_id, job_id } = path;
  await delivered(cast, path);
  removeObjects(cast, 'exports', `p${property}/${export_id}/${job_id}/`);
  for (const [kind, name] of Object.entries(functions)) {
    const replayed = { path: { ...path, delivery: `${job_id}-${kind}` } };
    await call('replayDelivery', replayed).catch(() => undefined);
    await changeItem(service, keys.exportDelivery(property, export_id, job_id, kind), { state: 'waiting' });
    await cloud.invoke(name, { property, export: export_id, job: job_id });
  }
};

const deliverGoneFiles: Extra['play'] = async (cast) => {
  const { call, service, webhook } = cast;
  const notices = { webhook_url: webhook, notification_email: service.userEmail };
  const path = await runExport(cast, { ...notices, ...pushed(cast) });
  await deliverGone(cast, path, {
    ...{ webhook: 'deliverWebhook', email: 'deliverEmail', sftp: 'deliverFile' },
  });
  const feed = { scope: 'delta', data_format: 'jsonl', changes: { url: webhook, first: 'all' } };
  await deliverGone(cast, await runExport(cast, feed), { changes: 'deliverChanges' });
  const export_id = await makeBucketed(cast);
  await call('createExportJob', { path: { export_id } });
  await deliverGone(cast, await jobThat(cast, 'complete', export_id), { s3: 'deliverObject' });
};

/** The first test pins the key of the server. An export whose server was never reached gets a key, too. */
const testExport: Extra['play'] = async (cast) => {
  for (const export_id of [await makeExport(cast, pushed(cast)), await makeBucketed(cast)])
    await cast.call('testExport', { path: { export_id } });
  const path = { export_id: await makeExport(cast, { ...pushed(cast), schedule: { hour: '3' } }) };
  await cast.call('replaceHostKey', { path, body: { fingerprint: `SHA256:${'A'.repeat(43)}` } });
};

const LINK = 'A'.repeat(43);

const MAILBOX = 'a'.repeat(64);

/** An address that is confirmed before it was ever asked, and once more after it was asked. */
const confirmAddress: Extra['play'] = async ({ call, service }) => {
  const { property } = service;
  const link = keys.confirmation(createHash('sha256').update(LINK).digest('hex'));
  for (const asked of [undefined, { confirmed: null, asked: 1 }]) {
    if (asked) await putItem(service, keys.mailbox(property, MAILBOX), asked);
    await putItem(service, link, { property, mailbox: MAILBOX, expires: Date.now() + 3_600_000 });
    await call('confirmAddress', { path: { capability: LINK } });
  }
};

/** A confirmed address gets the mail of an export, and stops such mails. */
const stopMails: Extra['play'] = async ({ call, service, everyone, fresh }) => {
  const notification_email = `s${fresh()}@example.net`;
  const mailbox = createHash('sha256').update(notification_email).digest('hex');
  await putItem(service, keys.mailbox(service.property, mailbox), { confirmed: 1, asked: null });
  await call('createExport', { body: { segment: [everyone], notification_email } });
  const capability = await until('the mail', async () => {
    const inbox = v.parse(mails, await (await fetch(service.cloud.endpoints.inbox_url)).json());
    const text = inbox.find(({ to }) => to.includes(notification_email))?.text ?? '';
    return /\/confirmations\/(\d+\.\S+)/.exec(text)?.[1];
  });
  for (const operation of ['showConfirmation', 'confirmAddress'])
    await call(operation, { path: { capability } });
};

const emailPages: Extra['play'] = (cast) =>
  secondPage(cast, 'listNotificationEmails', async () => {
    const notification_email = `n${cast.fresh()}@example.net`;
    await makeExport(cast, { schedule: { hour: '3' }, notification_email });
    // Nobody knows this address yet.
    await cast.call('withdrawNotificationEmail', {
      query: { notification_email: `m${cast.fresh()}@example.net` },
    });
  });

export const deliveryExtras: readonly Extra[] = [
  { of: ['testExport', 'replaceHostKey'], play: testExport },
  { of: ['listNotificationEmails', 'withdrawNotificationEmail'], play: emailPages },
  { of: ['confirmAddress'], play: confirmAddress },
  { of: ['showConfirmation', 'confirmAddress'], play: stopMails },
  {
    of: [
      ...['deliverChanges', 'deliverWebhook', 'deliverEmail', 'deliverFile', 'deliverObject'],
      'replayDelivery',
    ],
    play: deliverGoneFiles,
  },
];
