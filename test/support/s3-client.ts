import * as sdk from '@aws-sdk/client-s3';
import { ATTEMPT_MS, s3Options, timedHandler } from '../../shared/runtime/aws-client.ts';
import type { LoadedS3 } from '../../shared/runtime/s3-sdk.ts';

/** The client of S3 with the options of the service, for a server at an address. */
export const s3At = (endpoint: string, attemptMs = ATTEMPT_MS): LoadedS3 => ({
  sdk,
  client: new sdk.S3Client({
    ...s3Options(),
    region: 'eu-west-1',
    endpoint,
    credentials: { accessKeyId: 'AKIAtest', secretAccessKey: 'secret' },
    requestHandler: timedHandler(attemptMs),
  }),
});
