import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { inspectAnswer } from '../../shared/imports/inspect/inspect-schemas.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { fieldMap } from '../support/field-map.ts';
import { defineImport, importFile } from '../support/running.ts';

const german = Buffer.from(
  'Kundennr;Vorname;Name;E-Mail;Geburtsdatum;Interessen\r\n' +
    '1;K\xe4the;M\xfcller;k@example.org;24.02.1949;Jazz|Abo\r\n' +
    '2;Jos\xe9;Ruiz;j@example.org;01.12.1980;Jazz\r\n',
  'latin1',
);
const dialect = { encoding: 'windows-1252', delimiter: 'semicolon' };

/** A file that nobody described: inspected, its suggested definition created, and the file imported with it. */
describe('a file of unknown dialect over HTTP', () => {
  let service: Service;
  shared.beforeAll(({ service: own }) => {
    service = own;
  });

  const inspect = async (type: string, body: Uint8Array<ArrayBuffer> | string) => {
    const { status, text } = await service.call('POST', `/v1/${service.property}/imports/inspect`, {
      body,
      headers: { 'content-type': type },
    });
    expect(status).toBe(200);
    return v.parse(v.pipe(v.string(), v.parseJson(), inspectAnswer), text);
  };

  it('is inspected, and imported with the definition that the inspection suggests', async () => {
    const { suggestion, rows, ...found } = await inspect('application/octet-stream', german);
    expect(found).toMatchObject({ dialect, failure: null });
    expect(rows.map(({ faults }) => faults)).toEqual([[], []]);
    const path = await defineImport(service, suggestion.definition);
    const { job, counts } = await importFile(service, path, german);
    expect(counts).toMatchObject({ status: 'complete', completed: 2 });
    expect(await service.client.get(job, v.looseObject({ dialect: v.unknown() }))).toMatchObject({ dialect });
    const upload = { job_id: Number(job.split('/').at(-1)) };
    const again = await inspect('application/json', JSON.stringify({ upload }));
    expect(again).toMatchObject({ dialect, failure: null, suggestion });
    expect(again.rows).toHaveLength(2);
    const { text } = await service.call('GET', `/v1/${service.property}/profile?email=k@example.org`);
    expect(JSON.parse(text)).toMatchObject({ profile: { last_name: 'Müller', birthday: '1949-02-24' } });
  });

  it('is inspected from JSON with the definition of the client', async () => {
    const field_maps = [fieldMap('email', 'E-Mail')];
    const definition = { name: 'Mine', mapping_fields: { required_fields: [], field_maps } };
    const body = JSON.stringify({ content: german.toString('base64'), definition });
    const { failure, rows } = await inspect('application/json', body);
    expect(failure?.code).toBe('missing_column');
    expect(failure?.message).toContain('set `delimiter` to semicolon or auto.');
    expect(rows).toEqual([]);
  });
});
