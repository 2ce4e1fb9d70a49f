import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createExport } from '../../shared/exports/definitions/create-export.ts';
import { newExportBody } from '../../shared/exports/model/schemas.ts';
import { keys } from '../../shared/table/keys.ts';
import { requestOf } from '../support/requests.ts';
import { dropping, overtaken, unconditional, whole, type LeftOut } from '../support/weakened.ts';
import { PROPERTY, segment } from './harness.ts';
import { begun, path, ref, withPeople } from './steps.ts';

/** Two requests for a run of an export at once. Returns whether one of the jobs is in no place of the run queue. */
const twoRuns = async (leftOut: LeftOut): Promise<boolean> => {
  const harness = await begun({ start: false });
  await overtaken(
    harness.table,
    leftOut,
    () => harness.runAgain(path, 'one'),
    () => harness.runAgain(path, 'two'),
  );
  const definition = (await harness.exports.definition(PROPERTY, ref.export))?.value;
  const queued = new Set([definition?.current_job, definition?.waiting_job]);
  const { items } = await harness.exports.jobs(PROPERTY, ref.export, { limit: 10 });
  return items.some(({ job }) => !queued.has(job));
};

/** One request for an export that is sent twice at once. Returns whether it makes two. */
const sentTwice = async (leftOut: LeftOut): Promise<boolean> => {
  const harness = withPeople();
  const stage = { baseUrl: 'https://api.example.test', privateTargets: 'none' } as const;
  const body = v.parse(newExportBody, { segment: [segment(2)], start: false });
  const request = requestOf({ property: PROPERTY, query: {}, body, requestKey: 'key', keyed: true });
  const create = () => createExport({ ...harness, stage }, request);
  await overtaken(harness.table, leftOut, create, create);
  return (await harness.exports.definitions(PROPERTY, { limit: 10 })).items.length > 1;
};

const definitions = keys.exportDefinition(PROPERTY, 0).pk;

describe('the transaction of an export needs', () => {
  it.each<[string, (leftOut: LeftOut) => Promise<boolean>, LeftOut]>([
    [
      'the condition that its definition is as it was',
      twoRuns,
      unconditional(({ key }) => key.pk === definitions),
    ],
    ['the id of its request', sentTwice, dropping(({ key }) => key.pk.includes('#REQUEST#'))],
  ])('%s', async (_, isBroken, leftOut) => {
    expect(await isBroken(whole)).toBe(false);
    expect(await isBroken(leftOut)).toBe(true);
  });
});
