/**
 * Incidents of a game day: each breaks the service, says what shows it, and is ended by its section of the documents alone.
 * Commands run as they stand there, with the names of this service in place of those of the example.
 */
import { DescribeKeyCommand, DisableKeyCommand, EnableKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import * as v from 'valibot';
import { tokenMark } from '../../shared/audit/audit-trail.ts';
import { keys } from '../../shared/table/keys.ts';
import { tableNames } from '../support/table-names.ts';
import { until } from '../support/until.ts';
import {
  alarmIs,
  deadLetterIn,
  forgetAnswers,
  idOf,
  newUser,
  perform,
  posted,
  said,
  sceneOf,
  signIn,
  statusIs,
  statusWith,
  tokenIn,
  type Day,
  type Incident,
} from './game-day.ts';

/** A scene whose end is a deployment, or the return of a service of AWS. */
const mended =
  (alarm: string, sentence: string, healed: (day: Day) => Promise<void>): Incident['play'] =>
  async (day, section) => {
    const mend = await sceneOf(alarm)(day.stage);
    await alarmIs(day, alarm, 'ALARM');
    said(section, sentence);
    await mend?.();
    await healed(day);
    await alarmIs(day, alarm, 'OK');
  };

const leakedToken: Incident['play'] = async (day, section) => {
  const user = await newUser(day);
  const token = tokenIn((await signIn(day, user)).text);
  await statusIs(200, () => statusWith(day, token));
  const list = said(section, 'npm run admin -- token list --account 1 --stage prod');
  const { tokens } = await perform(day, list, { '--account 1': `--account ${user.account}` });
  const all = v.parse(v.array(v.looseObject({ id: v.string() })), tokens);
  const leaked = all.find(({ id }) => id.startsWith(tokenMark(`Bearer ${token}`)));
  const revoke = said(section, 'npm run admin -- token revoke --id 3f9a0c1e-example --stage prod');
  await perform(day, revoke, { '3f9a0c1e-example': leaked?.id ?? '' });
  forgetAnswers(day);
  await statusIs(401, () => statusWith(day, token));
};

const leakedPassword: Incident['play'] = async (day, section) => {
  const user = await newUser(day);
  await statusIs(200, async () => (await signIn(day, user)).status);
  const command = said(section, 'user password --username …');
  const { password } = v.parse(
    v.looseObject({ password: v.string() }),
    await perform(day, command, { '…': user.username }),
  );
  await statusIs(400, async () => (await signIn(day, user)).status);
  await statusIs(200, async () => (await signIn(day, { ...user, password })).status);
};

const guessing: Incident['play'] = async (day, section) => {
  const user = await newUser(day);
  await sceneOf('refused-logins')(day.stage);
  await alarmIs(day, 'refused-logins', 'ALARM');
  await perform(day, said(section, 'npm run admin -- user disable'), {}, ['--username', user.username]);
  await statusIs(400, async () => (await signIn(day, user)).status);
  await alarmIs(day, 'refused-logins', 'OK');
};

const flood: Incident['play'] = async (day, section) => {
  const user = await newUser(day);
  const { service } = day.stage;
  const units = new Map<number, number>();
  const Line = v.looseObject({ account: v.number(), units: v.number() });
  service.cloud.logs.observe((_, text) => {
    for (const line of text.split('\n').filter((one) => one.includes('"request.answered"'))) {
      const told = v.safeParse(Line, JSON.parse(line));
      if (told.success)
        units.set(told.output.account, (units.get(told.output.account) ?? 0) + told.output.units);
    }
  });
  const token = tokenIn((await signIn(day, user)).text);
  for (let n = 0; n < 20; n += 1) await statusWith(day, token);
  said(section, 'stats sum(units) as read_and_written');
  await until('the account with the most units', () =>
    [...units].toSorted(([, a], [, b]) => b - a)[0]?.[0] === user.account ? true : undefined,
  );
  const command = 'npm run admin -- account limit --account 1 --requests-per-second 1 --stage prod';
  const named = { '--account 1': `--account ${user.account}` };
  await perform(day, said(section, command), named);
  forgetAnswers(day);
  await statusIs(429, () => statusWith(day, token));
  await statusIs(200, async () => (await service.call('GET', '/v1/me')).status);
  said(section, '`account limit` without a number takes it back');
  await perform(day, command.replace(' --requests-per-second 1', ''), named);
};

const poison: Incident['play'] = async (day, section) => {
  day.stage.service.cloud.parts.storage.sqs.queue('tidemark-local-importBatches').send('poison', {});
  await deadLetterIn(day, 'importBatches');
  await alarmIs(day, 'importBatches-dead-letters', 'ALARM');
  await perform(day, said(section, 'npm run admin -- dead-letters list --stage prod'));
  const redrive = said(section, 'npm run admin -- dead-letters redrive --queue importBatches --stage prod');
  await perform(day, redrive);
  await deadLetterIn(day, 'importBatches');
  await perform(day, said(section, 'npm run admin -- dead-letters show --queue importBatches --stage prod'));
  // Its messages are hidden for some seconds from whoever else looks.
  await deadLetterIn(day, 'importBatches');
  await perform(
    day,
    said(section, 'npm run admin -- dead-letters delete --queue importBatches --stage prod'),
  );
  await alarmIs(day, 'importBatches-dead-letters', 'OK');
};

const crash: Incident['play'] = async (day, section) => {
  const { stage } = day;
  const { property, job } = stage.ids;
  const mend = stage.kill('importBatch');
  await posted(day, `/v1/${property}/import-data`, {
    name: 'b',
    import_job: job,
    records: [{ email: `crash${day.fresh()}@example.org` }],
  });
  await deadLetterIn(day, 'importBatches');
  await alarmIs(day, 'importBatches-dead-letters', 'ALARM');
  said(section, 'Fix the cause, then redrive.');
  mend();
  await perform(
    day,
    said(section, 'npm run admin -- dead-letters redrive --queue importBatches --stage prod'),
  );
  await until('the rows of the batch', async () => {
    const { text } = await stage.service.call(
      'GET',
      `/v1/${property}/imports/${stage.ids.import}/jobs/${job}`,
    );
    const Job = v.looseObject({ counts: v.looseObject({ completed: v.number() }) });
    return v.parse(Job, JSON.parse(text)).counts.completed > 0 ? true : undefined;
  });
  await alarmIs(day, 'importBatches-dead-letters', 'OK');
};

const Segments = v.array(v.looseObject({ id: v.number(), type: v.string() }));

const wrongCount: Incident['play'] = async (day, section) => {
  const { service, ids } = day.stage;
  const { property } = ids;
  const tag = `day ${day.fresh()}`;
  for (let n = 0; n < 3; n += 1)
    await posted(day, `/v1/${property}/profiles`, {
      email: `count${day.fresh()}@example.org`,
      tags: [{ datetime: '2026-05-01 09:00:00', tag: [tag] }],
    });
  const found = await service.call('GET', `/v1/${property}/segments?name=${encodeURIComponent(tag)}`);
  const segment = v.parse(Segments, JSON.parse(found.text))[0]?.id ?? 0;
  const count = async (): Promise<number> => {
    const { text } = await service.call('GET', `/v1/${property}/segments/${segment}`);
    return v.parse(v.looseObject({ count: v.number() }), JSON.parse(text)).count;
  };
  await statusIs(3, count);
  const { pk, sk } = keys.chunk(property, segment, 0, 0);
  const Key = { pk: { S: pk }, sk: { S: sk } };
  await service.cloud.parts.storage.table.call('DeleteItem', { TableName: tableNames.table, Key });
  await statusIs(0, count);
  const audit = said(section, 'npm run admin -- audit --property 1001');
  const names = { '1001': String(property) };
  const { missing } = v.parse(v.looseObject({ missing: v.number() }), await perform(day, audit, names));
  if (missing !== 3) throw new Error(`the audit misses ${missing} memberships, not 3`);
  await perform(day, said(section, `${audit} --repair`), names);
  await statusIs(3, count);
};

const disabledKey: Incident['play'] = async (day, section) => {
  const { cloud } = day.stage.service;
  const key = cloud.deployment.keys.find(({ logicalId }) => logicalId.startsWith('PropertyKey'));
  const { access_key_id, secret_access_key, region } = cloud.endpoints.aws_credentials;
  const credentials = { accessKeyId: access_key_id, secretAccessKey: secret_access_key };
  const kms = new KMSClient({ endpoint: cloud.awsEndpoint, region, credentials });
  const KeyId = key?.attributes['Arn'];
  await kms.send(new DisableKeyCommand({ KeyId }));
  const text = `Page: DisableKey of the key ${KeyId} by arn:aws:iam:`;
  await until('the page', () =>
    cloud.parts.topics
      .notices()
      .find(({ topic, message }) => topic.endsWith(':tidemark-local-pages') && message.includes(text)),
  );
  said(section, 'aws kms describe-key --key-id "$key"');
  const stateOf = async () => (await kms.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata?.KeyState;
  if ((await stateOf()) !== 'Disabled') throw new Error('the key is not disabled');
  said(section, 'aws kms enable-key --key-id "$key"');
  await kms.send(new EnableKeyCommand({ KeyId }));
  if ((await stateOf()) !== 'Enabled') throw new Error('the key is not enabled');
};

const leakedLink: Incident['play'] = async (day, section) => {
  const { service, ids } = day.stage;
  const { property } = ids;
  await posted(day, `/v1/${property}/profiles`, { email: `link${day.fresh()}@example.org` });
  const found = await service.call('GET', `/v1/${property}/segments?name=everyone`);
  const everyone = v.parse(Segments, JSON.parse(found.text)).find(({ type }) => type === 'everyone');
  const made = await posted(day, `/v1/${property}/exports`, { segment: [everyone?.id] });
  const { id } = v.parse(idOf, JSON.parse(made));
  const Jobs = v.looseObject({
    jobs: v.array(v.looseObject({ id: v.string(), location: v.nullish(v.string()) })),
  });
  const { job, location } = await until('the file of the export', async () => {
    const { text } = await service.call('GET', `/v1/${property}/exports/${id}/jobs`);
    const [one] = v.parse(Jobs, JSON.parse(text)).jobs;
    return typeof one?.location === 'string' ? { job: one.id, location: one.location } : undefined;
  });
  const opened = async () => (await fetch(location, { redirect: 'manual' })).status;
  await statusIs(303, opened);
  const [method = '', path = ''] = said(
    section,
    'DELETE /v1/{property}/exports/{export}/jobs/{job}/location',
  ).split(' ');
  await service.call(
    method,
    path.replace('{property}', `${property}`).replace('{export}', `${id}`).replace('{job}', job),
  );
  await statusIs(403, opened);
};

const lostSchedule: Incident['play'] = async (day, section) => {
  await sceneOf('schedules-dead-letters')(day.stage);
  await alarmIs(day, 'schedules-dead-letters', 'ALARM');
  await perform(day, said(section, 'dead-letters show --queue schedules'));
  said(section, 'delete these [dead letters](#dead-letters) after the fix');
  await deadLetterIn(day, 'schedules');
  await perform(day, 'dead-letters delete --queue schedules');
  await alarmIs(day, 'schedules-dead-letters', 'OK');
};

/** A request that is served, and in the audit log. */
const served = async ({ stage: { service, ids }, fresh }: Day): Promise<void> => {
  const body = JSON.stringify({ email: `served${fresh()}@example.org` });
  const answer = await service.call('POST', `/v1/${ids.property}/profiles`, { body });
  if (answer.status !== 201) throw new Error(`a new person: ${answer.status}`);
  const request = answer.headers.get('x-request-id') ?? 'none';
  await until('the entry of a change', async () => {
    const { text } = await service.call('GET', `/v2/properties/${ids.property}/audit-log`);
    return text.includes(request) ? true : undefined;
  });
};

const runbook = (heading: string): Incident['section'] => ['runbook.md', heading];

export const incidents: readonly Incident[] = [
  { name: 'a token is on a public page', section: runbook('A token leaked'), play: leakedToken },
  { name: 'a password is known', section: runbook('A password leaked'), play: leakedPassword },
  { name: 'somebody guesses passwords', section: runbook('Refused logins'), play: guessing },
  { name: 'one account sends too much', section: runbook('One account floods'), play: flood },
  { name: 'a message can never be processed', section: runbook('Dead letters'), play: poison },
  { name: 'the worker of imports dies', section: runbook('Dead letters'), play: crash },
  { name: 'a count is wrong', section: ['operating.md', 'Auditing the index'], play: wrongCount },
  { name: 'a key is disabled', section: runbook('A key is disabled'), play: disabledKey },
  { name: 'the link of an export is public', section: runbook('A link leaked'), play: leakedLink },
  { name: 'schedules cannot call', section: runbook('Schedules lost'), play: lostSchedule },
  {
    name: 'the table gets too much',
    section: runbook('Table'),
    play: mended('table-throttles', 'all work ends well once the load goes down', served),
  },
  {
    name: 'entries of the audit log are lost',
    section: runbook('Audit lost'),
    play: mended('audit-lost', 'deploy again', served),
  },
  {
    name: 'a route fails',
    section: runbook('First'),
    play: mended('api-errors', 'If it began with a deployment, [go back to the version before]', served),
  },
  {
    name: 'a step waits for hours',
    section: runbook('Late steps'),
    play: mended('postponed-steps', 'every step goes on by itself once the service answers', served),
  },
];
