import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import { unguardCell, printRow } from '../../shared/csv/print-line.ts';
import { isBlank } from '../../shared/runtime/visible-text.ts';
import { shared } from '../support/shared-service.ts';
import { defineExport, defineImport, exportedText, importFile, segmentId } from '../support/running.ts';
import { definitionOf } from '../support/field-map.ts';

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
const fields = ['first_name', 'street'] as const;
const profileSchema = v.object({ profile: v.record(v.string(), v.nullable(v.string())) });

describe('cells of every shape', () => {
  shared(
    'cells that show something come back byte for byte by lookup, and by export once the formula guard is undone',
    async ({ service }) => {
      const { client, property } = service;
      const at = (path: string): string => `/v1/${property}/${path}`;
      const rows = nasty.map((text, index) => [`n${index}@x.org`, text, nasty.at(-1 - index) ?? '']);
      const csv = [['email', ...fields], ...rows].map((row) => `${printRow(row, ',')}\r\n`).join('');
      const path = await defineImport(service, definitionOf(['email', ...fields]));
      expect((await importFile(service, path, csv)).counts).toMatchObject({
        status: 'complete',
        completed: rows.length,
      });
      for (const [email = '', ...texts] of rows) {
        const { profile } = await client.get(at(`profile?email=${email}`), profileSchema);
        expect(fields.map((name) => profile[name])).toEqual(
          texts.map((text) => (isBlank(text) ? null : text)),
        );
      }
      const id = await defineExport(service, { segment: [await segmentId(service)] });
      const [header = [], ...lines] = parse(await exportedText(service, id), {});
      const found = lines.map((line) =>
        ['email', ...fields].map((name) => unguardCell(line[header.indexOf(name)] ?? '')),
      );
      const stored = rows.map((row) => row.map((text) => (isBlank(text) ? '' : text)));
      expect(found.toSorted()).toEqual(stored.toSorted());
    },
  );
});
