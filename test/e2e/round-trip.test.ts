import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import { unguardCell } from '../../shared/csv/print-line.ts';
import { printRow } from '../../shared/csv/print-row.ts';
import { isBlank } from '../../shared/runtime/visible-text.ts';
import { finalCounts, identified, uploadFile } from '../support/api-client.ts';
import { shared } from '../support/shared-service.ts';
import { until } from '../support/until.ts';
import { fieldMap } from '../support/field-map.ts';

/** Texts that break readers, printers and spreadsheets. */
const nasty = [
  'a"b',
  '"',
  '""',
  ',',
  ' , ',
  'a\tb',
  '\tx',
  'a|b',
  'x\r\ny',
  '\n',
  'a\rb',
  '=1+1',
  "'=1+1",
  "''@x",
  '+49 30 1',
  '-',
  "-2+3+cmd|' /C calc'!A0",
  '@x',
  '＝1',
  ' é ',
  '𝄞',
  '日本\n語',
  'e\u0301',
  '\u200b',
  '\ufeff',
  '👩‍👩‍👧',
  '\u202eright to left',
  '[hidden]',
  'null',
  'NaN',
  '__proto__',
  '"quoted", and\r\n"more"',
  'x"\r\n,'.repeat(204),
  '𝄞'.repeat(512),
];
const fields = ['first_name', 'street'];
const definition = {
  name: 'Round trip',
  mapping_fields: {
    required_fields: ['email'],
    field_maps: ['email', ...fields].map((name) => fieldMap(name)),
  },
};
const profileSchema = v.object({ profile: v.record(v.string(), v.nullable(v.string())) });
const jobsSchema = v.looseObject({
  jobs: v.tuple([v.looseObject({ id: v.string(), status: v.string() })]),
});
const located = v.looseObject({ location: v.string() });

describe('cells of every shape', () => {
  shared(
    'cells that show something come back byte for byte by lookup, and by export once the formula guard is undone',
    async ({ service }) => {
      const { client, property } = service;
      const at = (path: string): string => `/v1/${property}/${path}`;
      const rows = nasty.map((text, index) => [`n${index}@x.org`, text, nasty.at(-1 - index) ?? '']);
      const csv = [['email', ...fields], ...rows].map((row) => `${printRow(row, ',')}\r\n`).join('');
      const { id } = await client.post(at('imports'), definition, identified);
      const file = { name: 'nasty.csv', bytes: Buffer.from(csv) };
      const job = await uploadFile(client, at(`imports/${id}`), file);
      expect(await finalCounts(client, job)).toMatchObject({ status: 'complete', completed: rows.length });
      for (const [email = '', ...texts] of rows) {
        const { profile } = await client.get(at(`profile?email=${email}`), profileSchema);
        expect(fields.map((name) => profile[name])).toEqual(
          texts.map((text) => (isBlank(text) ? null : text)),
        );
      }
      const [everyone] = await client.get(at('segments?name=everyone'), v.tuple([identified]));
      const made = await client.post(
        at('exports'),
        { segment: [everyone.id] },
        v.looseObject({ id: v.string() }),
      );
      const exported = await until('the export', async () => {
        const { jobs } = await client.get(at(`exports/${made.id}/jobs`), jobsSchema);
        return jobs[0].status === 'complete' ? jobs[0] : undefined;
      });
      const { location } = await client.get(at(`exports/${made.id}/jobs/${exported.id}`), located);
      const [header = [], ...lines] = parse(Buffer.from(await (await fetch(location)).arrayBuffer()), {});
      const found = lines.map((line) =>
        ['email', ...fields].map((name) => unguardCell(line[header.indexOf(name)] ?? '')),
      );
      const stored = rows.map((row) => row.map((text) => (isBlank(text) ? '' : text)));
      expect(found.toSorted()).toEqual(stored.toSorted());
    },
  );
});
