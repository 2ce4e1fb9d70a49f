import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { bytesInAnswer } from '../../shared/http/fitting.ts';
import { textFaults } from '../../shared/http/text.ts';
import { inspectAnswer, inspectBody } from '../../shared/imports/inspect/inspect-schemas.ts';
import { inspectFile } from '../real-life/try-file.ts';
import { importHarness } from './import-harness.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';

const SIX_MEGABYTES = 6_000_000;

const names = fc.oneof(
  fc.constantFrom(
    ...[
      'email',
      'E-Mail',
      'Kontakt',
      'Name',
      'unique_id',
      'Id',
      'Phone',
      'Home Phone',
      'Mailing City',
      'City',
      'Via',
    ],
    ...[
      'Genre',
      'geb. am',
      'Newsletter ja/nein',
      'Opt-out',
      'Consent date',
      'メールアドレス',
      'Straße privat',
      '',
      ' ',
    ],
    ...[
      '__proto__',
      'constructor',
      'profile_uuid',
      'extra_data.x',
      'consent.email',
      'consent.email.datetime',
      'x',
    ],
    ...[
      'social_token',
      'attribute_source',
      'remove_tags',
      'address.city',
      'ä'.repeat(256),
      `Email${'\u0301'.repeat(300)}`,
      `E${'-'.repeat(300)}mail`,
      'E\u0001mail',
      'Kunden\u0085nr',
      'Geschlecht\u007f',
      'Newsletter\ufffd',
      '\u200b',
      '\ud83d\ude00',
    ],
  ),
  fc.string({ maxLength: 20, unit: 'grapheme' }),
  fc.string({ maxLength: 20, unit: 'binary' }),
);
const cells = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      'ja',
      'nein',
      'x',
      'true',
      '0',
      '1',
      'a@example.org',
      'b@example.org',
      '+49 30 901820',
      '12.03.80',
    ],
    ...[
      '1980-02-03',
      'Jazz|Oper',
      'Ulm',
      '00501',
      'DE',
      'm',
      '1,5',
      '１２',
      'a@b.de ::: c@d.de',
      '"',
      '=1+1',
      'ja\u0001',
      'm\u0002',
      'n/a\u007f',
      '年',
    ],
  ),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
  fc.string({ maxLength: 12, unit: 'binary' }),
);
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const fieldNames = [
  'email',
  'birthday',
  'phone_number',
  'tags',
  'consent.post',
  'extra_data.y',
  'city',
  null,
];

describe('a suggestion', () => {
  it('is a body that POST imports takes, whatever the columns and the fields that a request names', async () => {
    const file = fc.integer({ min: 1, max: 40 }).chain((columns) =>
      fc.record({
        header: fc.array(names, { minLength: columns, maxLength: columns }),
        rows: fc.array(fc.array(cells, { minLength: 1, maxLength: columns + 1 }), { maxLength: 6 }),
        wishes: fc.array(fc.tuple(fc.nat({ max: 39 }), fc.constantFrom(...fieldNames)), { maxLength: 3 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(file, async ({ header, rows, wishes }) => {
        const text = [header, ...rows].map((line) => line.map(quoted).join(',')).join('\n');
        const targets = Object.fromEntries(
          wishes.flatMap(([index, field]) => (header[index] === undefined ? [] : [[header[index], field]])),
        );
        for (const wanted of [{}, targets]) {
          const body = v.safeParse(inspectBody, {
            content: Buffer.from(text).toString('base64'),
            targets: wanted,
          });
          if (!body.success) continue;
          const harness = importHarness();
          const answer = await harness.askInspection(body.output);
          if (!answer.ok) {
            expect(wanted).toBe(targets);
            continue;
          }
          const { suggestion } = v.parse(inspectAnswer, answer.value.body);
          if (!suggestion.definition) continue;
          expect(textFaults({ ...suggestion.definition })).toEqual([]);
          await harness.define(suggestion.definition);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('is one for 300 columns, and for one column 120 times', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `Column ${index}`);
    const wide = await inspectFile(`${many.join(',')}\n${many.join(',')}\n`);
    expect(wide.suggestion.definition?.mapping_fields.field_maps).toHaveLength(300);
    const same = await inspectFile(
      `email${',Phone'.repeat(120)}\na@example.org${',+49 30 901820'.repeat(120)}\n`,
    );
    expect(same.suggestion.columns).toHaveLength(121);
    await importHarness().define(wide.suggestion.definition);
    await importHarness().define(same.suggestion.definition);
  });
});

describe('an answer', () => {
  it('stays below six megabytes if a definition multiplies large cells', async () => {
    const row = `a@example.org,${'"'.repeat(2)}${'\\'.repeat(4_500)}`;
    const file = `email,x\n${`${row}\n`.repeat(20)}`;
    const sources = [{ type: 'source_field', name: 'x' }];
    const field_maps = [
      fieldMap('email'),
      ...Array.from({ length: 120 }, (_, index) => ({ sources, target_field: `extra_data.x${index}` })),
    ];
    const answer = await importHarness().inspect(file, { definition: definitionOf(field_maps) });
    expect(bytesInAnswer(answer)).toBeLessThan(SIX_MEGABYTES);
    expect(answer.rows.length).toBeGreaterThan(3);
  });

  it('stays below six megabytes with 2,000 columns of one meaning', async () => {
    const header = Array.from({ length: 2_000 }, (_, index) => `Phone ${index % 7}${'"'.repeat(index % 3)}`);
    const file = `${header.map(quoted).join(',')}\n${header.map(() => '+49 30 901820').join(',')}\n`;
    expect(bytesInAnswer(await inspectFile(file))).toBeLessThan(SIX_MEGABYTES);
  });
});
