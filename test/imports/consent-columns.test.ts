import { describe, expect, it } from 'vitest';
import { canMakeMoreThan } from '../../shared/imports/guards/segment-columns.ts';
import type { FieldMap } from '../../shared/imports/mapping/field-map.ts';
import { retryImportJob } from '../../shared/imports/retry/retry-import-job.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { faultsOf, map, mapping } from './definition-bodies.ts';
import { dryRun } from './dry-run-scenes.ts';
import { type ImportHarness, simpleDefinition, withDefinition } from './import-harness.ts';
import { asking, countsOf, download, edited, fromFile } from './retry-harness.ts';
import { AT, checkRow } from './map-row.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';

const columns: readonly FieldMap[] = ['email', 'consent.email', 'consent.sms'].map((target_field) =>
  fieldMap(target_field),
);

/** Maps and checks a row of an e-mail address and two columns of consent. */
const checked = async (
  cells: readonly string[],
  more: Partial<FieldMap> = {},
  required_fields: readonly string[] = [],
) => {
  const field_maps = columns.map((each) =>
    each.target_field === 'consent.sms' ? { ...each, ...more } : each,
  );
  const outcome = await checkRow(field_maps, cells, required_fields);
  if (!outcome.ok) return outcome.error;
  return {
    consent: outcome.value.patch.consent?.map(({ channel, state, datetime }) => [channel, state, datetime]),
    dropped: outcome.value.warnings.map(({ detail }) => detail),
  };
};

describe('a column of consent', () => {
  it.each([
    ['given', 'given'],
    ['Withdrawn', 'withdrawn'],
    ['yes', 'given'],
    [' Y ', 'given'],
    ['TRUE', 'given'],
    ['no', 'withdrawn'],
    ['n', 'withdrawn'],
    ['false', 'withdrawn'],
  ])(
    'reads %j as %s: a withdrawal as of the arrival of the file, consent without a date',
    async (cell, state) => {
      const datetime = state === 'withdrawn' ? AT : undefined;
      expect(await checked(['a@x.org', '', cell])).toEqual({
        consent: [['sms', state, datetime]],
        dropped: [],
      });
    },
  );

  it('says nothing where it is empty or blank', async () => {
    expect(await checked(['a@x.org', '', ' '])).toEqual({ consent: undefined, dropped: [] });
  });

  it('stands beside others: each column is a channel of its own', async () => {
    expect(await checked(['a@x.org', 'no', 'yes'])).toMatchObject({
      consent: [
        ['email', 'withdrawn', AT],
        ['sms', 'given', undefined],
      ],
    });
  });

  it('refuses its row for another word, and says how to map it', async () => {
    const message =
      '"vielleicht" is not given, withdrawn, yes or no; map other words with the transformation map.';
    expect(await checked(['a@x.org', '', 'vielleicht'])).toEqual([
      { field: 'consent.sms', code: 'not_allowed', message, column: 'consent.sms' },
    ]);
  });

  it('reads what the transformation map makes of its words', async () => {
    const words = { transformations: [{ name: 'map' as const, values: { ja: 'given', nein: 'No' } }] };
    expect(await checked(['a@x.org', '', 'ja'], words)).toMatchObject({
      consent: [['sms', 'given', undefined]],
    });
    expect(await checked(['a@x.org', '', 'nein'], words)).toMatchObject({
      consent: [['sms', 'withdrawn', AT]],
    });
  });

  it('drops a bad cell with a warning if its field map says so', async () => {
    const answer = await checked(['a@x.org', 'yes', 'vielleicht'], { on_bad_value: 'drop_cell' });
    expect(answer).toMatchObject({ consent: [['email', 'given', undefined]] });
    expect(JSON.stringify(answer)).toContain('The cell was dropped.');
  });

  it('can be required', async () => {
    expect(await checked(['a@x.org', 'yes', ''], {}, ['consent.sms'])).toMatchObject([
      { field: 'consent.sms', code: 'required' },
    ]);
    expect(await checked(['a@x.org', '', 'yes'], {}, ['consent.sms'])).toMatchObject({ dropped: [] });
  });
});

describe('several columns of one channel', () => {
  const targets = ['email', 'consent.sms', 'consent.sms', 'consent.sms.datetime'];
  const read = async (cells: readonly string[], required_fields: readonly string[] = []) => {
    const field_maps = targets.map((target_field, index) => fieldMap(target_field, `column ${index}`));
    const outcome = await checkRow(field_maps, ['a@x.org', ...cells], required_fields);
    return outcome.ok
      ? outcome.value.patch.consent?.map(({ state, datetime }) => [state, datetime])
      : outcome.error;
  };
  const [day, start, end] = ['2026-01-02', '2026-01-02 00:00:00', '2026-01-02 23:59:59'];

  it.each([
    ['yes', 'no', '', 'withdrawn', AT],
    ['no', 'yes', '', 'withdrawn', AT],
    ['yes', 'no', day, 'withdrawn', AT],
    ['', 'no', day, 'withdrawn', AT],
    ['no', 'no', day, 'withdrawn', end],
    ['yes', '', day, 'given', start],
    ['yes', 'yes', '', 'given', undefined],
  ])('%j and %j at %j: a withdrawal wins, and its time must be that of all', async (...row) => {
    const [one, other, time, state, datetime] = row;
    expect(await read([one, other, time])).toEqual([[state, datetime]]);
  });

  it('needs a time that is surely its own, if the definition requires one', async () => {
    expect(await read(['yes', 'no', day], ['consent.sms.datetime'])).toMatchObject([{ code: 'required' }]);
  });

  it('names the columns where a cell is bad', async () => {
    expect(await read(['yes', 'perhaps', ''])).toMatchObject([
      { field: 'consent.sms', code: 'not_allowed', column: 'column 1 + column 2' },
    ]);
  });
});

describe('a definition', () => {
  const email = map('email', 'a');

  it.each([
    ['consent.email', []],
    ['consent.E-Mail', ['/mapping_fields/field_maps/1/target_field unknown_target']],
    ['consent.', ['/mapping_fields/field_maps/1/target_field unknown_target']],
    ['consent', ['/mapping_fields/field_maps/1/target_field unknown_target']],
  ])('with the target %s has the faults %j', async (target, faults) => {
    expect(await faultsOf(mapping([email, map(target, 'b')]))).toEqual(faults);
  });

  it('neither erases consent nor maps its time twice, but maps a channel to several columns', async () => {
    expect(await faultsOf(mapping([email, map('consent.sms', 'b', { erase: true })]))).toEqual([
      '/mapping_fields/field_maps/1/erase not_erasable',
    ]);
    const said = [email, map('consent.sms', 'b'), map('consent.sms', 'c')];
    expect(await faultsOf(mapping(said))).toEqual([]);
    const times = ['d', 'e'].map((name) => map('consent.sms.datetime', name));
    expect(await faultsOf(mapping([...said, ...times]))).toEqual([
      '/mapping_fields/field_maps/4/target_field duplicate',
    ]);
  });

  it('makes two segments of each channel at most', () => {
    const definition = { mapping_fields: { field_maps: [...columns], required_fields: [] } };
    expect(canMakeMoreThan(4, definition)).toBe(false);
    expect(canMakeMoreThan(3, definition)).toBe(true);
  });
});

const consentOf = async ({ profiles }: ImportHarness, email: string) => {
  const found = await profiles.findByIdentity(scope, { kind: 'email', value: email });
  return found?.consent.map(({ channel, state, datetime }) => [channel, state, datetime]);
};

describe('the consent in a file', () => {
  const definition = definitionOf([
    ...simpleDefinition.mapping_fields.field_maps,
    map('consent.email', 'Newsletter'),
  ]);

  const file = 'email,first_name,Newsletter\na@x.org,A,yes\nb@x.org,B,no\nc@x.org,C,yes\n';

  it('makes segments that a dry run tells', async () => {
    const { harness, id } = await withDefinition(definition);
    expect(await dryRun(harness, id, file)).toMatchObject({
      dry_run_result: {
        new_segments: {
          count: 2,
          segments: [
            { type: 'consent', name: 'email: given', members: 2 },
            { type: 'consent', name: 'email: withdrawn', members: 1 },
          ],
        },
      },
    });
  });

  it('makes segments that a guard counts', async () => {
    for (const [max_new_segments, status] of [
      [1, 'failed'],
      [2, 'complete'],
    ] as const) {
      const { harness, id } = await withDefinition({ ...definition, max_new_segments });
      expect((await harness.runFile(id, file)).counts).toMatchObject({ status });
    }
  });

  it('never outranks a withdrawal that came between the file and its corrected rows', async () => {
    const place = await fromFile('email,first_name,Newsletter\na@x.org,A,yes\nbad,B,yes\n', definition);
    expect(await consentOf(place.harness, 'a@x.org')).toEqual([['email', 'given', null]]);
    const withdrawal = { email: 'b@x.org', consent: [{ channel: 'email', state: 'withdrawn' }] };
    await place.harness.apply([accepted(withdrawal, 0, { stamp: stampOf(NOW + 60_000) })]);
    const corrected = edited(await download(place), ([, ...rest]) => ['b@x.org', ...rest]);
    const answer = await retryImportJob(place.harness.deps, {
      ...asking(place, corrected),
      now: NOW + 120_000,
    });
    expect(answer.ok).toBe(true);
    await place.harness.workOff();
    expect(await countsOf(place)).toMatchObject({ completed: 2, unserializable: 0 });
    const { errors } = await place.harness.readErrors(place.importId, place.job);
    expect(errors).toEqual([]);
    expect(await consentOf(place.harness, 'b@x.org')).toEqual([
      ['email', 'withdrawn', '2026-01-15 12:01:00'],
    ]);
  });
});
