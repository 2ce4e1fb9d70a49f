import * as v from 'valibot';
import { testExport } from '../../shared/exports/definitions/test-export.ts';
import { exportTestAnswer } from '../../shared/exports/model/schemas.ts';
import { sftpProbe } from '../../shared/sftp/probe.ts';
import { path } from './steps.ts';
import { bodyOf, type ExportsHarness, request } from './harness.ts';

/** `POST exports/{export_id}/test` of the first export. */
export const callTest = (harness: ExportsHarness) => {
  const { privateTargets, now } = harness.fakes;
  const probe = sftpProbe({ resolve: () => Promise.resolve(['127.0.0.1']), privateTargets });
  return testExport({ ...harness, probe }, request(now, undefined, undefined, path));
};

/** The result of a test of the first export. */
export const tested = async (harness: ExportsHarness) =>
  v.parse(exportTestAnswer, bodyOf(await callTest(harness)));
