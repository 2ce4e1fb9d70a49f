/** Servers and buckets that somebody has set up for an export: further exports may go there. */

/** A server or a bucket, and the export that it was set up for. */
export interface Destination {
  readonly export: string;
  readonly name: string;
  readonly place: string;
}

/** What is asked of an export. */
interface Listed {
  readonly id: string;
  readonly name: string | null;
  readonly directory: string | null;
  readonly destination_credentials: { readonly client_id: string; readonly domain: string } | null;
  readonly s3_destination: { readonly bucket: string } | null;
  readonly pgp_public_key: string | null;
}

/**
 * The destinations of exports, the newest first. Of several exports to one place with one key for the encryption it is the
 * newest, whose login somebody has set last.
 */
export const destinationsIn = (exports: readonly Listed[]): readonly Destination[] => {
  const found = new Map<string, Destination>();
  for (const { id, name, directory, pgp_public_key, ...one } of exports) {
    const server = one.destination_credentials;
    const host = server ? `${server.client_id}@${server.domain}` : one.s3_destination?.bucket;
    if (host === undefined) continue;
    const place = directory === null ? host : `${host}, ${directory}`;
    const key = `${place} ${pgp_public_key ?? ''}`;
    if (!found.has(key)) found.set(key, { export: id, name: name ?? id, place });
  }
  return [...found.values()];
};
