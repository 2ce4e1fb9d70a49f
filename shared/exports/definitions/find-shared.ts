/** Find shared: the export whose destination a new one shares. */
import type { ApiRequest, NoQuery } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { ExportDefinition } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import type { NewExportBody } from '../model/schemas.ts';

interface Found {
  /** The body, with the directory and the key for the encryption of that export where it has none. */
  readonly body: NewExportBody;
  readonly shared: ExportDefinition | undefined;
}

/**
 * The export that `destination_of` names. What it protects by encryption stays protected: its key goes with its
 * destination. 422 `unknown_reference` for an unknown export, and for one without a server and a bucket.
 */
export const findShared = async (
  { exports }: { readonly exports: Pick<ExportRepository, 'definition'> },
  { property, body }: Pick<ApiRequest<NoQuery, NewExportBody>, 'property' | 'body'>,
): Promise<Result<Found, Problem>> => {
  const { destination_of: id } = body;
  if (id === null) return ok({ body, shared: undefined });
  const shared = (await exports.definition(property.id, id))?.value;
  if (!shared || (shared.destination === null && shared.s3_destination === null))
    return err(problems.invalid([unknown]));
  const directory = body.directory ?? shared.directory;
  const pgp_public_key = body.pgp_public_key ?? shared.pgp_public_key;
  return ok({ body: { ...body, directory, pgp_public_key }, shared });
};

const unknown = {
  pointer: '/destination_of',
  code: 'unknown_reference',
  detail: 'No export with a server or a bucket has this id.',
} as const;
