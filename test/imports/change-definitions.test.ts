import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { deleteImport } from '../../shared/imports/definitions/delete-import.ts';
import { replaceImport, grantSource } from '../../shared/imports/definitions/change-imports.ts';
import { listImports, getImport } from '../../shared/imports/definitions/read-imports.ts';
import {
  deletedImportAnswer,
  importAnswer,
  importBody,
  importsAnswer,
} from '../../shared/imports/schemas/definition-schemas.ts';
import { dyingAnywhere } from '../support/death.ts';
import {
  begin,
  type ImportHarness,
  importHarness,
  request,
  simpleDefinition,
  tickingHarness,
  withDefinition,
} from './import-harness.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';
import { answered } from '../support/requests.ts';

/** The same people from other columns, which not all files have. */
const other = definitionOf(
  ['email', 'first_name'].map((name) => fieldMap(name, `guest ${name}`)),
  { required_fields: ['email', 'first_name'], name: 'Guests' },
);

const replace = (harness: ImportHarness, id: number, body: unknown = other) =>
  replaceImport(harness.deps, request({ import_id: id }, {}, v.parse(importBody, body)));
const remove = (harness: ImportHarness, id: number) => harness.remove(id);
const read = (harness: ImportHarness, id: number) =>
  getImport(harness.deps, request({ import_id: id }, {}, undefined));
const listed = async (harness: ImportHarness): Promise<readonly number[]> => {
  const all = request({}, { limit: undefined, cursor: undefined }, undefined);
  return (await answered(listImports(harness.deps, all), importsAnswer)).imports.map(({ id }) => id);
};

const notFound = { ok: false, error: { status: 404 } };
const rows = 'email,first_name\na@x.org,A\nb@x.org,\n';
const guests = 'guest email,guest first_name\nc@x.org,C\nd@x.org,\n';

describe('a definition that is replaced', () => {
  it('is another under the same id, with its grant, and as old as before', async () => {
    const harness = importHarness();
    const made = await harness.define();
    await grantSource(harness.deps.imports, { property: 7, import: made.id, tier: 'provider_1' });
    const after = await answered(replace(harness, made.id, { ...other, test_mode: true }), importAnswer);
    expect(after).toEqual({
      ...made,
      name: 'Guests',
      mapping_fields: other.mapping_fields,
      test_mode: true,
      granted_tier: 'provider_1',
    });
    expect(await read(harness, made.id)).toMatchObject({ value: { body: after } });
    const again = await answered(replace(harness, made.id, simpleDefinition), importAnswer);
    expect(again).toEqual({ ...made, granted_tier: 'provider_1' });
    expect(await listed(harness)).toEqual([made.id]);
  });

  it('holds for files that come after, not for one under way at any step', async () => {
    for (const step of ['uploaded', 'started', 'inspected', 'split'] as const) {
      const { harness, id } = await withDefinition();
      const { reference, job } = await harness.upload(id, rows);
      if (step === 'uploaded') await replace(harness, id);
      if (step === 'started') await replace(harness, id);
      expect(await harness.inspectFile(reference), step).toEqual({ status: 'ok', done: true });
      if (step === 'inspected') await replace(harness, id);
      await harness.splitFile(reference);
      if (step === 'split') await replace(harness, id);
      await harness.workOff();
      await harness.settleImport(reference);
      expect((await harness.readJob(id, job)).counts, step).toMatchObject({
        status: 'complete',
        completed: 2,
      });
      expect((await harness.runFile(id, guests, 'guests.csv')).counts, step).toMatchObject({
        status: 'complete-with-errors',
        completed: 1,
        unserializable: 1,
      });
    }
  });

  it('holds for jobs that are made after, not for batches of one that was there', async () => {
    const { harness, importId, job } = await begin();
    await replace(harness, importId);
    await replace(harness, importId, { ...other, name: 'Again' });
    const after = await harness.openJob(importId);
    for (const to of [job, after.id]) await harness.send(to, [{ email: `${to}@x.org` }]);
    await harness.workOff();
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ completed: 1 });
    expect((await harness.readJob(importId, after.id)).counts).toMatchObject({ unserializable: 1 });
  });

  it('takes no other with faults, and none in its place that is not there', async () => {
    const { harness, id } = await withDefinition();
    const unmapped = {
      ...other,
      mapping_fields: { ...other.mapping_fields, required_fields: ['gender'] },
    };
    expect(await replace(harness, id, unmapped)).toMatchObject({
      error: {
        status: 422,
        errors: [{ pointer: '/mapping_fields/required_fields/0', code: 'not_mapped' }],
      },
    });
    expect(await read(harness, id)).toMatchObject({ value: { body: { name: 'Visitors' } } });
    for (const unknown of [id + 1, 8_000_000_001, Number.NaN])
      expect(await replace(harness, unknown)).toMatchObject(notFound);
  });

  it('by ten at once is one of them, and each earlier one can still be worked by', async () => {
    const { harness, id } = await withDefinition();
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => replace(harness, id, { ...other, name: `N${index}` })),
    );
    const names = await Promise.all(
      Array.from({ length: 11 }, (_, revision) =>
        harness.deps.imports.definitionOfJob({ property: 7, import: id, revision }),
      ),
    );
    expect(new Set(names.map((one) => one?.name)).size).toBe(11);
    expect(names[0]?.name).toBe('Visitors');
  });
});

describe('a definition that is deleted', () => {
  it('is gone, with its directory, and what is dropped there makes no job', async () => {
    const harness = importHarness();
    const kept = await harness.define();
    const { id } = await harness.define();
    const directory = `sftp/1/7/imports/${id}/`;
    expect(harness.uploads.keys()).toContain(directory);
    expect(await answered(harness.remove(id), deletedImportAnswer)).toEqual({ id });
    expect(await read(harness, id)).toMatchObject(notFound);
    expect(await listed(harness)).toEqual([kept.id]);
    expect(harness.uploads.keys()).toEqual([`sftp/1/7/imports/${kept.id}/`]);
    const { detail } = await harness.put(`${directory}x.csv`, Buffer.from(rows));
    await harness.startImport({
      source: 'aws.transfer',
      'detail-type': 'SFTP Server File Upload Completed',
      detail: {
        'file-path': `/bucket/${directory}x.csv`,
        bytes: 1,
        etag: detail.object.etag,
        'end-timestamp': '2026-01-15T12:00:00.000Z',
      },
    });
    expect([harness.started, harness.ignored]).toEqual([[], ['elsewhere']]);
    for (const again of [harness.remove(id), replace(harness, id)])
      expect(await again).toMatchObject(notFound);
  });

  it('leaves its jobs and their refused rows to be read', async () => {
    const { harness, id } = await withDefinition();
    const { id: job } = await harness.runFile(id, 'email,first_name\nbad,A\n');
    expect(await harness.remove(id)).toMatchObject({ ok: true });
    expect((await harness.readJob(id, job)).counts).toMatchObject({ unserializable: 1 });
    expect((await harness.readErrors(id, job)).errors).toMatchObject([{ row: 1, code: 'not_an_email' }]);
  });

  it('takes no batch for a job that was there', async () => {
    const { harness, importId, job } = await begin();
    await harness.store(job, [{ email: 'a@x.org' }]);
    await harness.remove(importId);
    await expect(harness.send(job, [{ email: 'b@x.org' }])).rejects.toThrow('unknown_reference');
  });

  it('while a batch is accepted loses none of its rows', async () => {
    const { harness, importId, job } = await begin();
    await harness.store(job, [{ email: 'a@x.org' }]);
    const deps = {
      ...harness.deps,
      imports: {
        ...harness.deps.imports,
        markDeleted: async (seen: Parameters<typeof harness.deps.imports.markDeleted>[0]) => {
          await harness.send(job, [{ email: 'b@x.org' }]);
          return harness.deps.imports.markDeleted(seen);
        },
      },
    };
    await deleteImport(deps, request({ import_id: importId }, {}, undefined));
    await harness.workOff();
    expect((await harness.people()).map(([email]) => email)).toEqual(['a@x.org', 'b@x.org']);
  });

  it('before a file is read fails its job with the reason', async () => {
    const { harness, id } = await withDefinition();
    const { reference, job } = await harness.upload(id, rows);
    const seen = await harness.deps.imports.versionedDefinition(7, id);
    expect(seen && (await harness.deps.imports.markDeleted(seen))).toBe(true);
    expect(await harness.inspectFile(reference)).toEqual({ status: 'failed', done: true });
    expect(await harness.readJob(id, job)).toMatchObject({ failure: { code: 'definition_gone' } });
  });
});

describe('a change of a definition whose function dies', () => {
  it('at any operation has changed all of it or nothing, and another try ends it', async () => {
    let kills = 0;
    for (const change of [replace, remove])
      kills += await dyingAnywhere({
        begin: async (tick) => {
          const harness = tickingHarness(tick);
          const { id } = await harness.define();
          const { reference, job } = await harness.uploadInspected(id, rows);
          await harness.splitFile(reference);
          if (change === remove) {
            await harness.workOff();
            await harness.settleImport(reference);
          }
          return { harness, id, reference, job };
        },
        run: ({ harness, id }, through) => through(() => change(harness, id)),
        check: async ({ harness, id, reference, job }, fatal) => {
          await harness.workOff();
          await harness.settleImport(reference);
          expect((await harness.readJob(id, job)).counts, `${fatal}`).toMatchObject({ completed: 2 });
          if (change === replace)
            expect(await read(harness, id)).toMatchObject({ value: { body: { name: 'Guests' } } });
          else
            expect([await listed(harness), harness.uploads.keys()[0]?.startsWith('sftp/')]).toEqual([
              [],
              false,
            ]);
          expect(harness.table.items().filter(({ lifecycle }) => lifecycle === 'deleted')).toEqual([]);
        },
      });
    expect(kills).toBeGreaterThan(10);
  });
});
