import type * as v from 'valibot';
import { expect, it } from 'vitest';
import { routes } from '../../functions/edge/routes.ts';
import { isObject } from '../../shared/http/json.ts';
import { check } from '../../shared/http/schema-faults.ts';

const isSchema = (value: unknown): value is v.GenericSchema => isObject(value) && value['kind'] === 'schema';

/** The routes whose bodies give a thing a name. */
const naming = routes.flatMap(({ name, trigger }) => {
  const { body } = trigger;
  const entries = body && 'entries' in body && isObject(body.entries) ? body.entries : {};
  return isSchema(entries['name']) ? [{ name, schema: entries['name'] }] : [];
});

it('the names of all kinds of things are here', () => {
  expect(naming.map(({ name }) => name).toSorted()).toEqual([
    'createCollection',
    'createExport',
    'createImport',
    'createImportJob',
    'createSegment',
    'createTimeline',
    'importData',
    'issueToken',
    'renameTimeline',
    'replaceCollection',
    'replaceExport',
    'replaceImport',
    'replaceSegment',
  ]);
});

it.each(naming)('a name is one line, which lists and mails can show: $name', ({ schema }) => {
  expect(check(schema, 'Café № 1')).toMatchObject({ ok: true });
  for (const control of ['\n', '\r', '\t', '\u0085'])
    expect(check(schema, `a${control}b`)).toMatchObject({
      ok: false,
      faults: [{ pointer: '', code: 'bad_characters' }],
    });
});
