import { pageHeaders } from '../../shared/http/page-headers.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { bucketAddress } from '../../shared/runtime/s3-object-store.ts';
import { ok } from '../../shared/runtime/result.ts';
import type { ConsoleFile } from './console-page/files.ts';
import { consolePage } from './console-page/page.ts';
import * as entries from './entries.ts';
import { storedFile } from './stored-file.ts';

/** The page may call this host and the bucket that takes uploads, and nothing else. It has no inline script or style. */
const headersFor = (uploads: string) => ({
  ...pageHeaders([
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${uploads}`,
    "img-src 'self' blob: data:",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]),
  'referrer-policy': 'no-referrer',
  // The page names the digests of its files: a kept page would name files that are gone.
  'cache-control': 'no-cache',
});

export const handler = publicHandler(
  entries.showConsole,
  async ({ page, bucket }: { readonly page: string; readonly bucket: string }) =>
    ok({ status: 200, body: page, headers: headersFor(await bucketAddress(bucket)) }),
  (env) => {
    const digestOf = (name: ConsoleFile) => storedFile(import.meta.dirname, name).digest;
    const digests = {
      'app.js': digestOf('app.js'),
      'de.js': digestOf('de.js'),
      'style.css': digestOf('style.css'),
      'licences.txt': digestOf('licences.txt'),
    };
    const page = consolePage(digests, env('DEMO_ACCOUNTS'));
    return { page, bucket: env('UPLOADS_BUCKET') };
  },
);
