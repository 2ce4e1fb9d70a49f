import { createHash } from 'node:crypto';

/** The source of a content security policy that allows an inline script or style. */
export const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Headers of a page of HTML that may load only what `sources` allow, and send forms only to `forms`. */
export const pageHeaders = (sources: readonly string[], forms: "'none'" | "'self'" = "'none'") => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ].join('; '),
});
