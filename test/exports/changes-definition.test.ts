import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { withoutReadOnly } from '../../shared/edge/read-only.ts';
import { exportRule } from '../../shared/exports/definitions/check-definition.ts';
import { bodyOf, type ExportsHarness, segment } from './harness.ts';
import { answered, locationParts, path, ref, runAll, withPeople } from './steps.ts';

const url = 'https://crm.example/hooks';
const feed = {
  segment: [segment(2)],
  scope: 'delta',
  data_format: 'jsonl',
  field_set: 'custom',
  custom_result_format: [{ umbel_field_name: 'email', destination_field_name: 'mail' }],
  changes: { url },
};
const created = { ...feed, start: false };

const stored = async (harness: ExportsHarness) => {
  const seen = await harness.exports.definition(ref.property, ref.export);
  if (!seen) throw new Error('there is no definition');
  return seen;
};

const errorsOf = (body: object): readonly string[] =>
  exportRule(body, Date.parse('2026-06-01T00:00:00Z')).map(({ pointer, code }) => `${pointer} ${code}`);

describe('an export with changes', () => {
  it('tells who comes and who leaves by default, and nobody at first', async () => {
    const body = bodyOf(await withPeople().create(created));
    expect(body).toMatchObject({
      changes: { url, kinds: ['added', 'removed'], first: 'none' },
      skip_empty: false,
    });
  });

  it('has a secret without a webhook, which stays with another receiver and goes with the last one', async () => {
    const harness = withPeople();
    const answer = bodyOf(await harness.create(created));
    expect(() => new Webhook(String(answer['webhook_secret']))).not.toThrow();
    const { webhook_secret: secret } = (await stored(harness)).value;
    const moved = bodyOf(await harness.replace(path, { ...feed, changes: { url: `${url}/2` } }));
    expect(moved).not.toHaveProperty('webhook_secret');
    expect((await stored(harness)).value.webhook_secret).toEqual(secret);
    await harness.replace(path, { ...feed, changes: null });
    expect((await stored(harness)).value.webhook_secret).toBeNull();
  });

  it('goes back as an answer shows it', async () => {
    const harness = withPeople();
    const shown = bodyOf(await harness.create(created));
    const sent = withoutReadOnly(Object.fromEntries(Object.keys(feed).map((name) => [name, shown[name]])));
    expect(bodyOf(await harness.replace(path, sent))).toMatchObject(sent);
  });

  it.each([
    ['a full scope', { scope: 'full' }, '/scope not_a_delta'],
    ['CSV', { data_format: 'csv' }, '/data_format not_a_delta'],
    ['gzip', { compression: 'gzip' }, '/compression not_with_changes'],
    ['addresses only', { field_set: 'email', custom_result_format: null }, '/field_set not_with_changes'],
    ['a directory', { directory: 'in' }, '/directory not_with_changes'],
    ['a name of files', { file_name: 'x' }, '/file_name not_with_changes'],
    ['a key', { pgp_public_key: 'x' }, '/pgp_public_key not_with_changes'],
    ['a first day', { start_date: '2026-05-01' }, '/start_date not_with_changes'],
    ['a last day', { end_date: '2026-05-01' }, '/end_date not_with_changes'],
    ['a shared destination', { destination_of: 7_000_000_001 }, '/destination_of not_with_changes'],
    [
      'a server',
      { destination_credentials: { domain: 'sftp.example.org', client_id: 'hall' } },
      '/destination_credentials not_with_changes',
    ],
    [
      'another value in place of the UUID',
      { custom_result_format: [{ umbel_field_name: 'email', destination_field_name: 'profile_uuid' }] },
      '/custom_result_format/0/destination_field_name duplicate',
    ],
  ])('has not %s', (_name, more, error) => {
    expect(errorsOf({ ...feed, ...more })).toEqual([error]);
    expect(errorsOf({ ...feed, ...more, changes: null })).not.toContain(error);
  });

  it('may have a webhook and a mail beside it, which tell the end of a job, and its rows can be downloaded', async () => {
    const send = () => Promise.resolve(answered(204));
    const harness = withPeople({ send });
    const told = { webhook_url: 'https://hooks.example.com/x', notification_email: 'Ada@example.test' };
    bodyOf(await harness.create({ ...feed, changes: { url, first: 'all' }, ...told }));
    await runAll(harness);
    await harness.tellChanges(ref);
    await harness.deliver(ref);
    expect(harness.sent.map((call) => call.url)).toEqual([url, told.webhook_url]);
    const { location, deliveries } = bodyOf(await harness.readJob(path));
    expect(harness.sent[1]?.body).toContain(`"location":"${String(location)}"`);
    expect(deliveries).toMatchObject([{ kind: 'changes' }, { kind: 'webhook' }, { kind: 'email' }]);
    expect(await harness.open(locationParts(location))).toMatchObject({ ok: true });
  });

  it('needs no column that names people, and a delta file does', () => {
    const nameless = {
      ...feed,
      custom_result_format: [{ umbel_field_name: 'city', destination_field_name: 'x' }],
    };
    expect(errorsOf(nameless)).toEqual([]);
    expect(errorsOf({ ...nameless, changes: null })).toEqual(['/custom_result_format identity_required']);
  });

  it.each([
    ['ftp://crm.example', 'scheme_not_allowed'],
    ['https://10.0.0.1/hooks', 'private_target'],
    ['https://api.example.test/v1', 'loops_back'],
  ])('calls nobody at %s', async (target, code) => {
    const harness = withPeople();
    const refused = await harness.create({ ...created, changes: { url: target } });
    expect(refused).toMatchObject({ ok: false, error: { errors: [{ pointer: '/changes/url', code }] } });
  });
});

describe('the runs of an export', () => {
  const schedule = { minute: '*/5' };
  it.each([
    ['every five minutes with changes', { ...feed, schedule }, []],
    ['every five minutes with skip_empty', { segment: [2], skip_empty: true, schedule }, []],
    ['every 15 minutes else', { segment: [2], schedule }, ['/schedule too_frequent']],
    ['no oftener', { ...feed, schedule: { minute: '*/4' } }, ['/schedule too_frequent']],
  ])('come %s', (_name, body, errors) => {
    expect(errorsOf(body)).toEqual(errors);
  });
});

describe('a replaced export with changes', () => {
  const told = async () => {
    const harness = withPeople();
    await harness.create(created);
    harness.fakes.members.set(segment(4), [3]);
    await harness.exports.updateDefinition(await stored(harness), { told_job: 1, untold_job: 2 });
    return harness;
  };

  it('goes on from what it told, with other targets, kinds and columns', async () => {
    const harness = await told();
    const changes = { url, kinds: ['changed'], first: 'all' };
    bodyOf(await harness.replace(path, { ...feed, segment: [segment(4)], changes }));
    expect((await stored(harness)).value).toMatchObject({
      ...{ revision: 2, feed_revision: 1, told_job: 1, untold_job: 2 },
    });
  });

  it.each([
    ['another address', { url: `${url}/2` }],
    ['no receiver', null],
  ])('begins anew with %s', async (_name, changes) => {
    const harness = await told();
    bodyOf(await harness.replace(path, { ...feed, changes }));
    expect((await stored(harness)).value).toMatchObject({
      ...{ revision: 2, feed_revision: 2, told_job: null, untold_job: null },
    });
  });
});
