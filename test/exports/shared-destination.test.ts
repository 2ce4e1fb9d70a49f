import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { exportAnswer } from '../../shared/exports/model/answers.ts';
import { loginContext } from '../../shared/exports/model/definition-fields.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { newPgpKey, publicText } from '../support/pgp-keys.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import { s3_destination } from './bucket.ts';
import { bodyOf, PROPERTY, segment, type ExportsHarness } from './harness.ts';
import { faultsOf, path, withPeople } from './steps.ts';
import { tested } from './tested.ts';

const PASSWORD = 'correct horse battery';
const first = scopedId(PROPERTY, 1);
const second = scopedId(PROPERTY, 2);
const pathOf = (id: number) => ({ export_id: String(id) });

/** The harness with one export, which another one may name. */
const withFirst = async (more: object): Promise<ExportsHarness> => {
  const harness = withPeople();
  bodyOf(await harness.create({ segment: [segment(2)], start: false, ...more }));
  return harness;
};

const share = (harness: ExportsHarness, more: object = {}) =>
  harness.create({ segment: [segment(2)], start: false, destination_of: String(first), ...more });

/** The `n`-th export as its route shows it. */
const shownExport = async (harness: ExportsHarness, n: number) =>
  v.parse(exportAnswer, bodyOf(await harness.read(pathOf(scopedId(PROPERTY, n)))));

describe('an export with the destination of another', () => {
  it('logs in as that one does, to the server that it knows, without a secret in the request', async () => {
    await using there = await openSftpServer();
    there.mischief.password = PASSWORD;
    const domain = `127.0.0.1:${there.port}`;
    const login = { domain, client_id: 'receiver', password: PASSWORD, verify: 'none' };
    const harness = await withFirst({ destination_credentials: login, directory: 'in/{date}' });
    await harness.nameHostKey(path, (await tested(harness)).host_key?.fingerprint ?? '');
    const named = bodyOf(await harness.readHostKey(path));
    const made = await share(harness);
    expect(JSON.stringify(bodyOf(made))).not.toContain(PASSWORD);
    const one = await shownExport(harness, 1);
    const other = await shownExport(harness, 2);
    expect(other).toMatchObject({ id: String(second), directory: 'in/{date}' });
    expect(other.destination_credentials).toEqual(one.destination_credentials);
    expect(bodyOf(await harness.readHostKey(pathOf(second)))).toEqual(named);
    // Its copy outlives the first one, and opens for nobody else.
    bodyOf(await harness.remove(path));
    expect((await tested(harness, undefined, pathOf(second))).ok).toBe(true);
    const stored = (await harness.exports.definition(PROPERTY, second))?.value.destination?.password;
    const sealed = stored ?? new Uint8Array();
    await expect(harness.keyService.decrypt(sealed, loginContext(PROPERTY, first))).rejects.toThrow();
  });

  it('goes into the same bucket, below its own directory if it names one', async () => {
    const harness = await withFirst({ s3_destination, directory: 'in' });
    bodyOf(await share(harness));
    bodyOf(await share(harness, { directory: 'weekly' }));
    const [one, other, third] = await Promise.all([1, 2, 3].map((n) => shownExport(harness, n)));
    expect(other?.s3_destination).toEqual(one?.s3_destination);
    expect(third?.s3_destination).toMatchObject({ bucket: 'crm-inbox' });
    expect(JSON.stringify(third?.s3_destination?.permission_policy)).toContain('crm-inbox/weekly/');
  });

  it('is encrypted to the key of that one', async () => {
    const pgp_public_key = publicText(await newPgpKey());
    const harness = await withFirst({ s3_destination, pgp_public_key });
    bodyOf(await share(harness));
    expect(await shownExport(harness, 2)).toMatchObject({ pgp_public_key });
  });

  it.each([
    ['an unknown export', { destination_of: String(scopedId(PROPERTY, 9)) }, 'unknown_reference'],
    [
      'an export of another property',
      { destination_of: String(scopedId(PROPERTY + 1, 1)) },
      'unknown_reference',
    ],
    ['two destinations', { s3_destination }, 'not_allowed'],
  ])('is refused for %s', async (_, more, code) => {
    const harness = await withFirst({ s3_destination });
    expect(faultsOf(await share(harness, more))).toEqual([`/destination_of ${code}`]);
  });

  it('is refused for an export without a server and a bucket', async () => {
    const harness = await withFirst({});
    expect(faultsOf(await share(harness))).toEqual(['/destination_of unknown_reference']);
  });

  it('is refused for a deleted export', async () => {
    const harness = await withFirst({ s3_destination });
    bodyOf(await harness.remove(path));
    expect(faultsOf(await share(harness))).toEqual(['/destination_of unknown_reference']);
  });
});
