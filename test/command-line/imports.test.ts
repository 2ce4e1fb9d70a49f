import { isCountedSoon } from '../../client/cli/imports/counted.ts';
import { describe, expect, it } from 'vitest';
import { identityAdvice, reasonsAgainst } from '../../client/cli/imports/identity.ts';
import { hasIdentity } from '../../client/src/imports/mapping.ts';
import {
  mappingOptionAt,
  readDefinition,
  wantedTargets,
  withoutUnknown,
  withTargets,
} from '../../client/cli/imports/mapping.ts';
import { doubtLines, doubtsAbout, groupLines, groupsOf, hintFor } from '../../client/cli/imports/overview.ts';
import {
  byFrequency,
  dryRunLines,
  endText,
  jobProgress,
  reasonColumns,
  warningLines,
} from '../../client/cli/imports/report.ts';
import { born, email, header, mapOf, nothing, title, withMaps, type FieldMap } from './visitors.ts';

const definition = withMaps(email, born);

describe('the mapping of a file', () => {
  const wanted = (changes: Parameters<typeof wantedTargets>[1], names = header) => {
    const result = wantedTargets(names, changes);
    return result.ok ? [...result.value] : result.error;
  };

  it('is read from an answer or a file', () => {
    expect(readDefinition(definition)).toEqual(definition);
    expect(readDefinition({ name: 'x' })).toBeUndefined();
  });

  it('takes fields for columns, and leaves columns out', () => {
    expect(wanted({})).toEqual([]);
    expect(wanted({ skip: ['Geb'], map: ['Anrede=gender'] })).toEqual([
      ['Geb', null],
      ['Anrede', 'gender'],
    ]);
  });

  it('keeps only some columns, whose names may have commas', () => {
    expect(wanted({ only: ['E-Mail, Geb'] })).toEqual([['Anrede', null]]);
    expect(wanted({ only: ['Ort, Land', 'Nr'] }, ['Nr', 'Ort, Land', 'x', '', 'y', 'y'])).toEqual([
      ['x', null],
      ['y', null],
    ]);
    expect(wanted({ only: ['Nr'], map: ['x=email'] }, ['Nr', 'x'])).toEqual([['x', 'email']]);
  });

  it('refuses a change without a column of the file', () => {
    expect(wanted({ map: ['Name=full_name'] })).toBe(
      'The file has no column "Name"; its columns are "E-Mail", "Geb", "Anrede".',
    );
    expect(wanted({ map: ['=email'] })).toBe('Write --map as "column=field", not "=email".');
    expect(wanted({ skip: ['Ort'] })).toContain('no column "Ort"');
    expect(wanted({ only: ['E-Mail,Ort'] })).toContain('no column "Ort"');
  });

  it('of a file takes what the service suggests for the columns of which the user speaks', () => {
    const suggested = withMaps(mapOf('Geb', 'birthday', { on_bad_value: 'drop_cell' }), title);
    const changed = withTargets(definition, new Map([['Geb', 'birthday']]), suggested);
    expect(changed.mapping_fields.field_maps).toEqual([email, suggested.mapping_fields.field_maps[0]]);
    expect(withTargets(definition, new Map([['Geb', null]]), withMaps()).mapping_fields.field_maps).toEqual([
      email,
    ]);
  });

  it('may leave out the columns without a field, but not those that the user wants', () => {
    const all = withMaps(email, title);
    expect(withoutUnknown(all, nothing)).toEqual(withMaps(email));
    expect(withoutUnknown(all, new Map([['Anrede', 'extra_data.Anrede']]))).toEqual(all);
  });

  it('has the option --map for the faults of its changes', () => {
    const optionAt = mappingOptionAt(definition, { map: ['Geb=birthday', 'a/b=nmae'] });
    expect(optionAt('/mapping_fields/field_maps/1/target_field')).toBe('--map "Geb=birthday"');
    expect(optionAt('/mapping_fields/field_maps/0/target_field')).toBeUndefined();
    expect(optionAt('/targets/a~1b')).toBe('--map "a/b=nmae"');
    expect(optionAt('/targets/E-Mail')).toBeUndefined();
    expect(optionAt('/name')).toBeUndefined();
  });

  it('says whose record a row is, or which column may', () => {
    expect([hasIdentity(definition), hasIdentity(withMaps(born))]).toEqual([true, false]);
    const sample = [
      ['a@example.org', '1001', 'Ada'],
      ['b@example.org', '1002', 'Ben'],
    ];
    expect(identityAdvice(['Kontakt', 'Nr', 'Name'], sample)).toEqual([
      '"Kontakt" looks like e-mail addresses: --map Kontakt=email',
    ]);
    expect(
      identityAdvice(
        ['Nr 1', 'Name'],
        sample.map(([, ...cells]) => cells),
      ),
    ).toEqual([`"Nr 1" differs in every row, as an id does: --map 'Nr 1=unique_id'`]);
    expect(identityAdvice(['Name'], [['Ada'], ['Ada']])).toEqual([]);
    const divided = [['Ada^a@example.org'], ['a@example.org~Ada']];
    expect(identityAdvice(['first^email'], divided)).toEqual([]);
    // A birthday differs in every row of a small file, and is nobody's identity.
    const days = [['1.1.1941'], ['8.6.1952']];
    expect(identityAdvice(['Syntymäaika'], days, (column) => column === 'Syntymäaika')).toEqual([]);
  });

  it('says no column whose header does not fit, but why', () => {
    const reason = 'The header lacks the name of a column.';
    const columns = [{ why: ['Its values look like addresses.', reason] }, { why: [] }];
    expect(reasonsAgainst({ columns, notes: [reason] })).toEqual([reason]);
    expect(reasonsAgainst({ columns, notes: ['No column says whose record a row is.'] })).toEqual([]);
  });
});

describe('the columns of a file', () => {
  const columns = [
    { column: 'E-Mail', kind: 'mapped', target_field: 'email', why: ['Its name means email.'] },
    { column: 'Geb', kind: 'mapped', target_field: 'birthday', why: ['The request names it.', 'Dates.'] },
    { column: 'Anrede', kind: 'kept', target_field: 'extra_data.Anrede', why: ['No field.'] },
    { column: 'Fax', kind: 'empty', target_field: null, why: ['Empty.'] },
    { column: '', kind: 'left_out', target_field: null, why: ['The column has no name.'] },
  ] as const;
  const sample = [
    ['', '1.1.1980', 'Frau', '', 'x'],
    ['a@example.org', '2.2.1990', '', '', ''],
  ];
  const seen = { header: columns.map(({ column }) => column), sample, suggestion: { columns, doubts: [] } };

  it('are a table of those with a field, and a line for each kind of the others', () => {
    const groups = groupsOf({ definition: withMaps(email, born, title), targets: nothing }, seen);
    expect(groups.mapped).toEqual([
      ['E-Mail', 'email', 'a@example.org', 'Its name means email.'],
      ['Geb', 'birthday', '1.1.1980', 'The request names it. Dates.'],
    ]);
    expect(groupLines(groups)).toEqual([
      '1 column has no field and is kept as extra data; leave it out with --skip-unknown: "Anrede".',
      '1 column is empty and left out: "Fax".',
      '1 column is left out: "". The column has no name.',
    ]);
  });

  it('keep the reasons of the service where the suggestion fills two fields from one', () => {
    const stopped = (target_field: string) => ({
      sources: [{ type: 'column', name: 'UNSUB_TIME' }],
      target_field,
    });
    const definition = withMaps(email, stopped('consent.email'), stopped('consent.email.datetime'));
    const why = ['Its name means an opt-out.'];
    const column = { column: 'UNSUB_TIME', kind: 'mapped', target_field: 'consent.email', why } as const;
    const suggestion = { definition, columns: [column], doubts: [] };
    const groups = groupsOf(
      { definition, targets: nothing },
      { header: ['UNSUB_TIME'], sample: [['2026-01-20']], suggestion },
    );
    expect(groups.mapped).toEqual([
      ['UNSUB_TIME', 'consent.email, consent.email.datetime', '2026-01-20', 'Its name means an opt-out.'],
    ]);
  });

  it('are the choice of the user where the user spoke', () => {
    const targets = new Map([
      ['Geb', 'birthday'],
      ['E-Mail', null],
    ]);
    const groups = groupsOf({ definition: withMaps(born), targets }, seen);
    expect(groups.mapped).toEqual([['Geb', 'birthday', '1.1.1980', 'Your choice. Dates.']]);
    expect(groupLines(groups)[1]).toBe('2 columns are left out: "E-Mail", "Anrede". Your choice.');
  });

  it('are too many for one line', () => {
    const extra = Array.from({ length: 60 }, (_, index) => `c${index}`);
    expect(groupLines({ extra, empty: [], left: new Map() })[0]).toMatch(
      /^60 columns have .*: "c0", .*"c39" and 20 more\.$/,
    );
  });
});

describe('the doubts about a file', () => {
  const doubt = {
    column: 'Nr',
    saw: 'Some ids are words.',
    cells: 2,
    examples: ['NULL'],
    does: 'It drops them.',
  };

  const hint =
    'To read a column in another way, write the mapping to a file with --save-mapping, and edit it.';

  it('say what was seen, how often, and what the import does', () => {
    expect(doubtLines([])).toEqual([]);
    expect(doubtLines([doubt, { ...doubt, column: null, cells: 1, examples: [] }])).toEqual([
      'Look at these 2 doubts before you import:',
      '! Nr: Some ids are words. (2 times: "NULL") It drops them.',
      '! Some ids are words. (1 time) It drops them.',
      hint,
    ]);
    expect(doubtLines([doubt], 30).slice(1, 4)).toEqual([
      '! Nr: Some ids are words. (2',
      '  times: "NULL") It drops',
      '  them.',
    ]);
  });

  it('name options in place of members of the definition', () => {
    const wrong = { ...doubt, column: null, examples: [], does: 'If that is wrong, set `encoding`.' };
    expect(doubtLines([wrong, { ...wrong, does: 'Leaves out white space (`trim`).' }]).slice(1, 3)).toEqual([
      '! Some ids are words. (2 times) If that is wrong, set --encoding.',
      '! Some ids are words. (2 times) Leaves out white space (`trim`).',
    ]);
  });

  it('name the file of the mapping that is in use, and none that is being written', () => {
    expect(hintFor({ mapping: 'map.yaml' })).toBe('To read a column in another way, edit map.yaml.');
    expect(doubtLines([doubt], 100, hintFor({ saveMapping: 'map.yaml' }))).toHaveLength(2);
  });

  it('fit on one screen', () => {
    const many = doubtLines(Array.from({ length: 20 }, () => doubt));
    expect([many.length, ...many.slice(-2)]).toEqual([18, '… and 5 more doubts; --json shows all.', hint]);
  });

  it('of a column concern only the field that the service suggests', () => {
    const columns = [{ column: 'Nr', kind: 'mapped', target_field: 'unique_id', why: [] }] as const;
    const about = (...maps: FieldMap[]) => doubtsAbout(withMaps(...maps), { columns, doubts: [doubt] });
    expect([about(mapOf('Nr', 'unique_id')), about(mapOf('Nr', 'extra_data.Nr')), about()]).toEqual([
      [doubt],
      [],
      [],
    ]);
  });
});

describe('the report of an import', () => {
  it('groups refused rows, the most frequent first', () => {
    const reason = {
      ...{ column: null, field: null, code: 'identity_missing', count: 5, example_line: 17 },
      example_message: 'A row needs an id.',
    };
    const ages = { ...reason, column: 'Alter', field: 'age', code: 'out_of_range', example_line: null };
    expect(
      byFrequency([
        reason,
        { ...ages, count: 1_240, example_message: 'Alter (age): Must be a whole number.' },
        { ...ages, count: 2, example_message: null },
      ]).map((one) => reasonColumns.map(({ cell }) => cell(one))),
    ).toEqual([
      ['Alter', 'age', 'Must be a whole number.', '1,240', '–'],
      ['–', '–', 'A row needs an id.', '5', '17'],
      ['Alter', 'age', 'out of range', '2', '–'],
    ]);
  });

  it('says what each kind of warning means, once', () => {
    const warning = {
      column: 'A',
      field: 'age',
      code: 'dropped_cell',
      count: 1,
      example_line: 2,
      example_message: null,
    };
    expect(
      warningLines([warning, { ...warning, column: 'B' }, { ...warning, code: 'of a newer service' }]),
    ).toEqual(['dropped cell: the row was stored without this cell.']);
  });

  it('tells what a dry run found', () => {
    const segments = Array.from({ length: 6 }, (_, index) => ({
      ...{ type: 'location', name: `Köln ${index}, Deutschland`, members: index },
    }));
    const tag = { type: 'tag', name: 'Jazz', members: 1_300 };
    expect(
      dryRunLines({
        people: { new: 4_120, changed: 301, unchanged: 12 },
        rows: { stored: 4_738, refused: 360, failed: 2 },
        new_segments: { count: 712, segments: [tag, ...segments] },
      }),
    ).toEqual([
      '4,738 rows would be stored, 362 refused: 4,120 new people, 301 changed, 12 unchanged.',
      '712 new segments: 1 tag ("Jazz" 1,300), 6 places ("Köln 5, Deutschland" 5, "Köln 4, Deutschland" 4, ' +
        '"Köln 3, Deutschland" 3, "Köln 2, Deutschland" 2, "Köln 1, Deutschland" 1, …), 705 more.',
    ]);
  });

  it('shows progress, with the number of rows that the dry run found', () => {
    const counts = { ingested: 1_000, processing: 250, completed: 700, unserializable: 50, failed: 0 };
    expect(jobProgress({ counts, phase: 'reading' }, 5_000, 3_000)).toEqual({
      share: 0.15,
      text: '750 of 5,000 rows  reading the file',
    });
    expect(jobProgress({ counts, phase: 'importing' }, 0, 3_000)).toEqual({
      share: 0.75,
      text: '750 of 1,000 rows  250 rows/s',
    });
    const none = { ...counts, ingested: 0, processing: 0 };
    expect(jobProgress({ counts: none, phase: 'waiting_for_file' }, 0, 0)).toEqual({
      share: 0,
      text: 'waiting for the file',
    });
  });

  it.each([
    ['is there', 0, true, 0],
    ['comes soon', 1_200, true, 1_200],
    ['comes after a twentieth of a long job', 30_000, true, 30_000],
    ['does not come', 90_000, false, 34_200],
  ])('waits for the sizes of segments: the count %s', async (_, after, isCounted, waited) => {
    const ended = Date.UTC(2026, 0, 1, 0, 10);
    let now = 0;
    const ports = {
      now: () => now,
      pause: (ms: number) => Promise.resolve(void (now += ms)),
      countedAt: () => Promise.resolve(now >= after ? ended : ended - 1),
    };
    const job = { started: '2026-01-01T00:00:00Z', finished: '2026-01-01T00:10:00Z' };
    expect([await isCountedSoon(ports, job), now]).toEqual([isCounted, waited]);
  });

  it('ends with one sentence', () => {
    const counts = { ingested: 9, processing: 0, completed: 1, unserializable: 5, failed: 3 };
    expect(endText({ counts })).toBe('1 row stored, 8 refused');
    expect(endText({ counts: { ...counts, completed: 9 } }, 7)).toBe('2 rows stored, 8 refused');
    expect(endText({ counts: { ...counts, completed: 9, unserializable: 0, failed: 0 } })).toBe(
      '9 rows stored',
    );
  });
});
