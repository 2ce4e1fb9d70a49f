import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { until } from '../support/until.ts';
import { fieldMap } from '../support/field-map.ts';
import { defineExport, defineImport, exportedText, importFile, segmentId, undo } from '../support/running.ts';

const words = { name: 'map', values: { ja: 'given', nein: 'withdrawn' } };
const definition = {
  name: 'Newsletter',
  mapping_fields: {
    required_fields: [],
    field_maps: [
      fieldMap('email', 'E-Mail'),
      fieldMap('tags', 'Tags'),
      fieldMap('consent.email', 'Newsletter', { transformations: [words] }),
    ],
  },
};
const members = v.looseObject({ profiles: v.array(v.looseObject({ email: v.nullable(v.string()) })) });
const said = v.looseObject({ consent: v.array(v.unknown()) });
const stateIn = (statement: unknown): string =>
  v.parse(v.looseObject({ state: v.string() }), statement).state;

/** Consent from a file and over HTTP, its segments, and exports that follow it, on the running service. */
describe('consent', () => {
  let service: Service;
  shared.beforeAll(({ service: own }) => {
    service = own;
  });

  const at = (path: string): string => `/v1/${service.property}/${path}`;
  const importList = async (lines: readonly string[], times: readonly object[] = []): Promise<string> => {
    const { mapping_fields, name } = definition;
    const field_maps = [...mapping_fields.field_maps, ...times];
    const path = await defineImport(service, { name, mapping_fields: { ...mapping_fields, field_maps } });
    const header = `E-Mail,Tags,Newsletter${times.length > 0 ? ',Since' : ''}`;
    const { job, counts } = await importFile(service, path, [header, ...lines, ''].join('\n'));
    expect(counts).toMatchObject({ status: 'complete' });
    return job;
  };
  const membersOf = async (name: string): Promise<readonly (string | null)[]> => {
    const id = await segmentId(service, name);
    const path = `/v2/properties/${service.property}/segments/${id}/profiles`;
    return (await service.client.get(path, members)).profiles.map(({ email }) => email).toSorted();
  };
  /** The text of the newest file of an export, once its `count` jobs are complete. */

  it('of a file is withdrawn over HTTP, and exports follow', async () => {
    await importList(['ann@example.org,Jazz,ja', 'ben@example.org,Jazz,ja', 'cem@example.org,Jazz,nein']);
    await importList(['eve@example.org,Jazz,']);
    expect(await membersOf('email: given')).toEqual(['ann@example.org', 'ben@example.org']);
    expect(await membersOf('email: withdrawn')).toEqual(['cem@example.org']);

    const jazz = { segment: [{ type: 'tag', name: 'Jazz' }], field_set: 'email' };
    const consent = { channel: 'email', state: 'given' };
    const id = await defineExport(service, { ...jazz, consent, scope: 'delta' });
    expect((await exportedText(service, id, 1)).split('\r\n').toSorted()).toEqual(
      ['', 'change,email', 'added,ann@example.org', 'added,ben@example.org'].toSorted(),
    );

    const statement = { channel: 'email', state: 'withdrawn', source: 'phone call' };
    const record = { email: 'ann@example.org', consent: [statement] };
    await service.client.post(at('profiles'), record, v.looseObject({}));
    expect(await membersOf('email: given')).toEqual(['ben@example.org']);
    expect(await membersOf('email: withdrawn')).toEqual(['ann@example.org', 'cem@example.org']);
    const shown = await service.client.get(at('profile?email=ann@example.org&include=consent'), said);
    expect(shown.consent).toMatchObject([statement]);

    await service.client.post(at(`exports/${id}/jobs`), {}, v.looseObject({}));
    expect((await exportedText(service, id, 2)).split('\r\n')).toContain('removed,ann@example.org');
    const full = await defineExport(service, { ...jazz, consent });
    expect(await exportedText(service, full)).toBe('email\r\nben@example.org\r\n');
    const unknown = { channel: 'carrier-pigeon', state: 'given' };
    const nobody = await defineExport(service, { ...jazz, consent: unknown });
    expect(await exportedText(service, nobody)).toBe('email\r\n');
  });

  it('of a file is dated by a column, and without a date never overrides a withdrawal', async () => {
    const statementOf = async (): Promise<unknown> => {
      const path = at('profile?email=fay@example.org&include=consent');
      return (await service.client.get(path, said)).consent[0];
    };
    await importList(['fay@example.org,Rock,ja']);
    expect(await statementOf()).toMatchObject({ state: 'given', datetime: null });
    const statement = { channel: 'email', state: 'withdrawn', datetime: '2026-01-02T03:04:05Z' };
    const record = { email: 'fay@example.org', consent: [statement] };
    await service.client.post(at('profiles'), record, v.looseObject({}));
    await importList(['fay@example.org,Rock,ja']);
    expect(await statementOf()).toMatchObject({ state: 'withdrawn', datetime: '2026-01-02T03:04:05.000Z' });
    const since = fieldMap('consent.email.datetime', 'Since', { transformations: [{ name: 'date_dmy' }] });
    await importList(['fay@example.org,Rock,ja,03.01.2026'], [since]);
    expect(await statementOf()).toMatchObject({ state: 'given', datetime: '2026-01-03T00:00:00.000Z' });
  });

  it('that is withdrawn outlives an undo and a forgetting, and no list or vendor gives it', async () => {
    const stateOf = async (email: string): Promise<string | undefined> => {
      const found = await service.call('GET', at(`profile?email=${email}&include=consent`));
      return found.status === 200 ? v.parse(said, JSON.parse(found.text)).consent.map(stateIn)[0] : undefined;
    };
    const given = { channel: 'email', state: 'given', datetime: '2026-01-01T00:00:00Z' };
    const known = ['gil', 'hal'].map((name) => ({ email: `${name}@example.org`, consent: [given] }));
    for (const record of known) await service.client.post(at('profiles'), record, v.looseObject({}));
    // S3 reports whole seconds, so a file may count as older than a record that was sent before it in the same second.
    const second = Math.floor(Date.now() / 1_000);
    await until('the next second', () => Promise.resolve(Date.now() >= (second + 1) * 1_000 || undefined));
    const lines = ['gil@example.org,Folk,nein', 'hal@example.org,Folk,nein', 'ida@example.org,Folk,nein'];
    const job = await importList(lines);
    expect((await undo(service, job)).values).toEqual({ taken_back: 6, replaced: 0, kept: 3 });
    expect([await stateOf('gil@example.org'), await stateOf('ida@example.org')]).toEqual([
      'withdrawn',
      undefined,
    ]);

    const everyone = { segment: [{ type: 'everyone', name: 'everyone' }], field_set: 'email' };
    const consent = { channel: 'email', state: 'given' };
    const id = await defineExport(service, { ...everyone, consent });
    expect(await exportedText(service, id, 1)).not.toContain('gil@example.org');

    expect((await service.call('DELETE', at('profile?email=hal@example.org'))).status).toBe(200);
    // A record that was accepted within the seconds by which clocks may differ still belongs to the forgotten person.
    await until('somebody with the address of the forgotten person', async () => {
      await importList(['hal@example.org,Folk,ja', 'ida@example.org,Folk,ja']);
      return stateOf('hal@example.org');
    });
    const vendor = {
      email: 'gil@example.org',
      consent: [{ ...consent, datetime: new Date().toISOString() }],
    };
    await service.client.post(
      at('profiles'),
      { ...vendor, attribute_source: 'third_party' },
      v.looseObject({}),
    );
    for (const name of ['gil', 'hal', 'ida'])
      expect([name, await stateOf(`${name}@example.org`)]).toEqual([name, 'withdrawn']);
    await service.client.post(at('profiles'), vendor, v.looseObject({}));
    expect(await stateOf('gil@example.org')).toBe('given');
  });

  it('is never erased: the service says what to send instead', async () => {
    const { status, text } = await service.call('POST', at('profiles'), {
      body: JSON.stringify({ email: 'ann@example.org', consent: null }),
    });
    expect(status).toBe(422);
    expect(text).toContain('Consent cannot be erased. Send the channel with the state withdrawn instead.');
  });

  it('is in the API document, with its type of segments', async () => {
    const { text } = await service.call('GET', '/openapi.json', { as: 'nobody' });
    expect(text).toContain('"withdrawn"');
    expect(text).toContain('"consent"');
  });
});
