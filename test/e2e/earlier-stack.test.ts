import { join } from 'node:path';
import { CfnKey } from 'aws-cdk-lib/aws-kms';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { buildApp } from '../../lib/app.ts';
import type { TidemarkOptions } from '../../cli/standalone/tidemark.ts';
import type { Payload } from '../../cli/admin-commands.ts';
import { askOperator, findTarget } from '../../cli/admin-service.ts';
import { runAudit } from '../../cli/audit.ts';
import { replayAll } from '../../cli/forgettings.ts';
import { startService, type TestService } from '../support/service.ts';
import { tableNames } from '../support/table-names.ts';
import { defineImport, importFile } from '../support/running.ts';
import { definitionOf } from '../support/field-map.ts';
import { newFolders, ofCheckout } from '../../local/test/support/folders.ts';

/** The settings that a restore leaves. */
const restored = { tableName: `${tableNames.table}-restored` };

/** The stacks of the service as a later deployment makes them: the new key of properties is another key. */
const laterStacks: TidemarkOptions['synthesize'] = (settings, outdir) => {
  const app = buildApp({ stage: 'local', settings, outdir });
  const keys = app.node.findAll().filter((one) => CfnKey.isCfnKey(one));
  const key = keys.find(({ node }) => node.path.includes('PropertyKey'));
  if (key === undefined) throw new Error('The later stacks need a key of properties of their own');
  key.overrideLogicalId('LaterPropertyKey');
  return Promise.resolve(app.synth().directory);
};

const Described = v.object({ Table: v.object({ TableStatus: v.string() }) });

/** Restores a table to a point in time, and waits until the new table may be used. */
const restore = async (
  { cloud }: TestService,
  from: string,
  to: { readonly name: string; readonly time: string },
): Promise<void> => {
  const { table } = cloud.parts.storage;
  await table.call('RestoreTableToPointInTime', {
    ...{ SourceTableName: from, TargetTableName: to.name, RestoreDateTime: Date.parse(to.time) / 1000 },
  });
  const status = async () =>
    v.parse(Described, (await table.call('DescribeTable', { TableName: to.name })).body).Table.TableStatus;
  await vi.waitFor(async () => expect(await status()).toBe('ACTIVE'), { timeout: 60_000 });
};

const Created = v.looseObject({ profile_uuid: v.string() });
const Found = v.looseObject({ profile: v.looseObject({ profile_uuid: v.string() }) });

const create = async ({ client, property }: TestService, email: string): Promise<string> =>
  (await client.post(`/v1/${property}/profiles`, { email }, Created)).profile_uuid;

const lookUp = (service: TestService, email: string) =>
  service.call('GET', `/v1/${service.property}/profile?email=${encodeURIComponent(email)}`);

const newFolder = newFolders(ofCheckout);

/** The ARN of a key in the templates of a service. */
const keyOf = ({ cloud }: TestService, logicalId: string): string => {
  const key = cloud.deployment.keys.find((one) => one.logicalId.startsWith(logicalId));
  return key?.attributes['Arn'] ?? '';
};

describe('stacks with a new key take up a restored table, and the credentials as they are', () => {
  const dataDir = newFolder();
  const endpointsFile = join(dataDir, 'endpoints.json');
  const before: { uuid?: string; time?: string; later?: TestService } = {};

  beforeAll(async () => {
    // Two engines compared in tests know no restores.
    const first = await startService({ dataDir, backups: true, tableEngine: undefined });
    before.uuid = await create(first, 'early@example.org');
    await create(first, 'forgotten@example.org');
    const time = new Date().toISOString();
    before.time = time;
    await create(first, 'late@example.org');
    await first.call('DELETE', `/v1/${first.property}/profile?email=forgotten%40example.org`);
    await restore(first, tableNames.table, { name: restored.tableName, time });
    const earlierPropertyKeyArns = keyOf(first, 'PropertyKey');
    await first[Symbol.asyncDispose]();
    before.later = await startService({
      dataDir,
      tableEngine: undefined,
      endpointsFile,
      synthesize: laterStacks,
      context: {
        ...restored,
        earlierPropertyKeyArns,
      },
    });
  }, 400_000);

  afterAll(async () => {
    await before.later?.[Symbol.asyncDispose]();
  });

  const later = (): TestService => {
    if (before.later === undefined) throw new Error('The later stacks did not start');
    return before.later;
  };

  it('people of the time of the restore are found under the ids that clients know', async () => {
    const { status, text } = await lookUp(later(), 'early@example.org');
    expect(status).toBe(200);
    expect(v.parse(Found, JSON.parse(text)).profile.profile_uuid).toBe(before.uuid);
  });

  it('people of the time after the restore are not there', async () => {
    expect((await lookUp(later(), 'late@example.org')).status).toBe(404);
  });

  it('new people can be stored in earlier properties', async () => {
    await create(later(), 'new@example.org');
    expect((await lookUp(later(), 'new@example.org')).status).toBe(200);
  });

  it('people who were forgotten after the time of the restore are forgotten again', async () => {
    expect((await lookUp(later(), 'forgotten@example.org')).status).toBe(200);
    const payload = { command: 'forgettings.replay', since: before.time ?? '' };
    const target = await findTarget({}, endpointsFile);
    const ask = (one: Payload) => askOperator(one, target, 'replayForgettings');
    expect(await replayAll(payload, ask)).toEqual({ ok: true, looked: 1, forgotten: 1 });
    expect((await lookUp(later(), 'forgotten@example.org')).status).toBe(404);
  });

  it('an audit finds no difference', async () => {
    const payload = { command: 'audit', property: later().property, repair: true };
    const target = await findTarget({}, endpointsFile);
    const ask = (one: Payload) => askOperator(one, target, 'auditIndex');
    expect(await runAudit(payload, ask, true)).toMatchObject({ ok: true, missing: 0, extra: 0 });
  });

  it('no call was refused, although the key of earlier properties is not the key in force', () => {
    const { denials } = later().cloud.gateway;
    expect(denials.list()).toEqual([]);
  });
});

const importPeople = async (service: TestService, ...emails: readonly string[]) => {
  const path = await defineImport(service, definitionOf(['email']));
  return (await importFile(service, path, ['email', ...emails].join('\n'))).counts;
};

it('stacks that come back under the keys of earlier stacks serve their tables and buckets, and make no keys', async () => {
  const dataDir = newFolder();
  const keys = { dataKeyArn: '', propertyKeyArn: '' };
  {
    await using first = await startService({ dataDir });
    await importPeople(first, 'early@example.org');
    keys.dataKeyArn = keyOf(first, 'DataKey');
    keys.propertyKeyArn = keyOf(first, 'PropertyKey');
  }
  await using later = await startService({ dataDir, context: keys });
  expect(later.cloud.deployment.keys).toEqual([]);
  expect(await importPeople(later, 'early@example.org', 'new@example.org')).toMatchObject({
    status: 'complete',
    completed: 2,
  });
  expect((await lookUp(later, 'early@example.org')).status).toBe(200);
  expect(later.cloud.gateway.denials.list()).toEqual([]);
}, 400_000);
