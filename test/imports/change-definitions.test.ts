import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { cancelImportJob } from '../../shared/imports/jobs/cancel-import-job.ts';
import { deleteImport } from '../../shared/imports/definitions/delete-import.ts';
import { replaceImport } from '../../shared/imports/definitions/replace-import.ts';
import { listImports } from '../../shared/imports/definitions/list-imports.ts';
import { getImport } from '../../shared/imports/definitions/get-import.ts';
import { grantSource } from '../../shared/imports/definitions/grant-source.ts';
import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import {
  deletedImportAnswer,
  importAnswer,
  importBody,
  importsAnswer,
} from '../../shared/imports/model/schemas.ts';
import { settleImport } from '../../shared/imports/jobs/settle-import.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { startImport } from '../../shared/imports/files/start-import.ts';
import { MemoryTable } from '../support/memory-table.ts';
import {
  answered,
  begin,
  define,
  importWorld,
  openJob,
  people,
  put,
  readErrors,
  readJob,
  request,
  runFile,
  send,
  simpleDefinition,
  upload,
  workOff,
  type ImportWorld,
} from './import-world.ts';

/** The same people from other columns, which not all files have. */
const other = {
  ...simpleDefinition,
  name: 'Guests',
  mapping_fields: {
    required_fields: ['email', 'first_name'],
    field_maps: ['email', 'first_name'].map((name) => ({
      sources: [{ type: 'source_field', name: `guest ${name}` }],
      target_field: name,
    })),
  },
};

const replace = (world: ImportWorld, id: number, body: unknown = other) =>
  replaceImport(world.deps, request({ import_id: id }, {}, v.parse(importBody, body)));
const remove = (world: ImportWorld, id: number) =>
  deleteImport(world.deps, request({ import_id: id }, {}, undefined));
const read = (world: ImportWorld, id: number) =>
  getImport(world.deps, request({ import_id: id }, {}, undefined));
const cancel = (world: ImportWorld, id: number, job: number) =>
  cancelImportJob(world.deps, request({ import_id: id, job_id: job }, {}, undefined));
const listed = async (world: ImportWorld): Promise<readonly number[]> => {
  const all = request({}, { limit: undefined, cursor: undefined }, undefined);
  return (await answered(listImports(world.deps, all), importsAnswer)).imports.map(({ id }) => id);
};

const notFound = { ok: false, error: { status: 404 } };
const inUse = { ok: false, error: { status: 409, code: 'in_use' } };
const rows = 'email,first_name\na@x.org,A\nb@x.org,\n';
const guests = 'guest email,guest first_name\nc@x.org,C\nd@x.org,\n';

describe('a definition that is replaced', () => {
  it('is another under the same id, with its grant, and as old as before', async () => {
    const world = importWorld();
    const made = await define(world);
    await grantSource(world.deps.imports, { property: 7, import: made.id, tier: 'provider_1' });
    const after = await answered(replace(world, made.id, { ...other, test_mode: true }), importAnswer);
    expect(after).toEqual({
      ...made,
      name: 'Guests',
      mapping_fields: other.mapping_fields,
      test_mode: true,
      granted_tier: 'provider_1',
    });
    expect(await read(world, made.id)).toMatchObject({ value: { body: after } });
    const again = await answered(replace(world, made.id, simpleDefinition), importAnswer);
    expect(again).toEqual({ ...made, granted_tier: 'provider_1' });
    expect(await listed(world)).toEqual([made.id]);
  });

  it('holds for files that come after, not for one under way at any step', async () => {
    for (const step of ['uploaded', 'started', 'inspected', 'split'] as const) {
      const world = importWorld();
      const { id } = await define(world);
      const { reference, job } = await upload(world, id, rows);
      if (step === 'uploaded') await replace(world, id);
      if (step === 'started') await replace(world, id);
      expect(await inspectFile(world.deps, reference), step).toEqual({ status: 'ok' });
      if (step === 'inspected') await replace(world, id);
      await splitFile(world.deps, reference);
      if (step === 'split') await replace(world, id);
      await workOff(world);
      await settleImport(world.deps, reference);
      expect((await readJob(world, id, job)).counts, step).toMatchObject({
        status: 'complete',
        completed: 2,
      });
      expect((await runFile(world, id, guests, 'guests.csv')).counts, step).toMatchObject({
        status: 'complete-with-errors',
        completed: 1,
        unserializable: 1,
      });
    }
  });

  it('holds for jobs that are made after, not for batches of one that was there', async () => {
    const { world, importId, job } = await begin();
    await replace(world, importId);
    await replace(world, importId, { ...other, name: 'Again' });
    const after = await openJob(world, importId);
    for (const to of [job, after.id]) await send(world, to, [{ email: `${to}@x.org` }]);
    await workOff(world);
    expect((await readJob(world, importId, job)).counts).toMatchObject({ completed: 1 });
    expect((await readJob(world, importId, after.id)).counts).toMatchObject({ unserializable: 1 });
  });

  it('takes no other with faults, and none in its place that is not there', async () => {
    const world = importWorld();
    const { id } = await define(world);
    const unmapped = {
      ...other,
      mapping_fields: { ...other.mapping_fields, required_fields: ['gender'] },
    };
    expect(await replace(world, id, unmapped)).toMatchObject({
      error: {
        status: 422,
        errors: [{ pointer: '/mapping_fields/required_fields/0', code: 'not_mapped' }],
      },
    });
    expect(await read(world, id)).toMatchObject({ value: { body: { name: 'Visitors' } } });
    for (const unknown of [id + 1, 8_000_000_001, Number.NaN])
      expect(await replace(world, unknown)).toMatchObject(notFound);
  });

  it('by ten at once is one of them, and each earlier one can still be worked by', async () => {
    const world = importWorld();
    const { id } = await define(world);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => replace(world, id, { ...other, name: `N${index}` })),
    );
    const names = await Promise.all(
      Array.from({ length: 11 }, (_, revision) =>
        world.deps.imports.definitionOfJob({ property: 7, import: id, revision }),
      ),
    );
    expect(new Set(names.map((one) => one?.name)).size).toBe(11);
    expect(names[0]?.name).toBe('Visitors');
  });
});

describe('a definition that is deleted', () => {
  it('is gone, with its directory, and what is dropped there makes no job', async () => {
    const world = importWorld();
    const kept = await define(world);
    const { id } = await define(world);
    const directory = `sftp/1/7/imports/${id}/`;
    expect(world.uploads.keys()).toContain(directory);
    expect(await answered(remove(world, id), deletedImportAnswer)).toEqual({ id });
    expect(await read(world, id)).toMatchObject(notFound);
    expect(await listed(world)).toEqual([kept.id]);
    expect(world.uploads.keys()).toEqual([`sftp/1/7/imports/${kept.id}/`]);
    const { detail } = await put(world, `${directory}x.csv`, Buffer.from(rows));
    await startImport(world.deps, {
      source: 'aws.transfer',
      'detail-type': 'SFTP Server File Upload Completed',
      detail: {
        'file-path': `/bucket/${directory}x.csv`,
        bytes: 1,
        etag: detail.object.etag,
        'end-timestamp': '2026-01-15T12:00:00.000Z',
      },
    });
    expect([world.started, world.ignored]).toEqual([[], ['elsewhere']]);
    for (const again of [remove(world, id), replace(world, id)]) expect(await again).toMatchObject(notFound);
  });

  it('leaves its jobs and their refused rows to be read', async () => {
    const world = importWorld();
    const { id } = await define(world);
    const { id: job } = await runFile(world, id, 'email,first_name\nbad,A\n');
    expect(await remove(world, id)).toMatchObject({ ok: true });
    expect((await readJob(world, id, job)).counts).toMatchObject({ unserializable: 1 });
    expect((await readErrors(world, id, job)).errors).toMatchObject([{ row: 1, code: 'not_an_email' }]);
  });

  it('is refused while a job of it has not ended', async () => {
    const { world, importId, job } = await begin();
    expect(await remove(world, importId), 'an empty job').toMatchObject(inUse);
    await send(world, job, [{ email: 'a@x.org' }]);
    expect(await remove(world, importId), 'a queued batch').toMatchObject(inUse);
    await workOff(world);
    world.barrier.settled = false;
    expect(await remove(world, importId), 'an import not yet visible').toMatchObject(inUse);
    world.barrier.settled = true;
    const { job: file } = await upload(world, importId, rows);
    expect(await remove(world, importId), 'a file being read').toMatchObject(inUse);
    await cancel(world, importId, file);
    expect(await remove(world, importId)).toMatchObject({ ok: true });
  });

  it('is refused for a job among hundreds that have ended', async () => {
    const { world, importId, job } = await begin();
    for (let more = 0; more < 250; more += 1)
      await cancel(world, importId, (await openJob(world, importId)).id);
    expect(await remove(world, importId)).toMatchObject(inUse);
    await cancel(world, importId, job);
    expect(await remove(world, importId)).toMatchObject({ ok: true });
  });

  it('takes no batch for a job that was there', async () => {
    const { world, importId, job } = await begin();
    await send(world, job, [{ email: 'a@x.org' }]);
    await workOff(world);
    await remove(world, importId);
    await expect(send(world, job, [{ email: 'b@x.org' }])).rejects.toThrow('unknown_reference');
  });

  it('while a batch is accepted loses none of its rows', async () => {
    const { world, importId, job } = await begin();
    await send(world, job, [{ email: 'a@x.org' }]);
    await workOff(world);
    const deps = {
      ...world.deps,
      imports: {
        ...world.deps.imports,
        markDeleted: async (seen: Parameters<typeof world.deps.imports.markDeleted>[0]) => {
          await send(world, job, [{ email: 'b@x.org' }]);
          return world.deps.imports.markDeleted(seen);
        },
      },
    };
    await deleteImport(deps, request({ import_id: importId }, {}, undefined));
    await workOff(world);
    expect((await people(world)).map(([email]) => email)).toEqual(['a@x.org', 'b@x.org']);
  });

  it('before a file is read fails its job with the reason', async () => {
    const world = importWorld();
    const { id } = await define(world);
    const { reference, job } = await upload(world, id, rows);
    const seen = await world.deps.imports.versionedDefinition(7, id);
    expect(seen && (await world.deps.imports.markDeleted(seen))).toBe(true);
    expect(await inspectFile(world.deps, reference)).toEqual({ status: 'failed' });
    expect(await readJob(world, id, job)).toMatchObject({ failure: { code: 'definition_gone' } });
  });
});

class Killed extends Error {}

describe('whoever changes a definition and dies', () => {
  it('at any operation has changed all of it or nothing, and another try ends it', async () => {
    let kills = 0;
    for (const change of [replace, remove])
      for (let kill = 1, left = true; left; kill += 1) {
        const plan = { at: 0, done: 0 };
        const strike = (): void => {
          plan.done += 1;
          if (plan.done === plan.at) throw new Killed();
        };
        const world = importWorld(new MemoryTable(strike), strike);
        const { id } = await define(world);
        const { reference, job } = await upload(world, id, rows);
        await inspectFile(world.deps, reference);
        await splitFile(world.deps, reference);
        if (change === remove) {
          await workOff(world);
          await settleImport(world.deps, reference);
        }
        plan.at = plan.done + kill;
        left = await change(world, id).then(
          () => false,
          () => true,
        );
        plan.at = 0;
        kills += left ? 1 : 0;
        if (left) await change(world, id);
        await workOff(world);
        await settleImport(world.deps, reference);
        expect((await readJob(world, id, job)).counts, `${kill}`).toMatchObject({ completed: 2 });
        if (change === replace)
          expect(await read(world, id)).toMatchObject({ value: { body: { name: 'Guests' } } });
        else expect([await listed(world), world.uploads.keys()[0]?.startsWith('sftp/')]).toEqual([[], false]);
        expect(world.table.items().filter(({ lifecycle }) => lifecycle === 'deleted')).toEqual([]);
      }
    expect(kills).toBeGreaterThan(10);
  });
});
