import * as v from 'valibot';
import { testExport } from '../../shared/exports/definitions/test-export.ts';
import { exportTestAnswer } from '../../shared/exports/model/answers.ts';
import { BucketRefusedError, type OpenClientBucket } from '../../shared/runtime/ports.ts';
import { sftpProbe } from '../../shared/sftp/probe.ts';
import { path } from './steps.ts';
import { bodyOf, type ExportsHarness, request } from './harness.ts';

const noBucket: OpenClientBucket = () => Promise.reject(new BucketRefusedError('role_refused'));

/** `POST exports/{export_id}/test`, of the first export or of the one of a path. */
export const callTest = (
  harness: ExportsHarness,
  openBucket: OpenClientBucket = noBucket,
  of: Readonly<Record<string, string>> = path,
) => {
  const { privateTargets, now } = harness.fakes;
  const probe = sftpProbe({ resolve: () => Promise.resolve(['127.0.0.1']), privateTargets });
  return testExport({ ...harness, probe, openBucket }, request(now, {}, undefined, of));
};

/** The result of a test of an export: the first one, or that of a path. */
export const tested = async (
  harness: ExportsHarness,
  openBucket?: OpenClientBucket,
  of: Readonly<Record<string, string>> = path,
) => v.parse(exportTestAnswer, bodyOf(await callTest(harness, openBucket, of)));
