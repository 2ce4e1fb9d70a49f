import type { UseCase } from '../../http/api-types.ts';
import type { PartUploads } from '../../runtime/ports.ts';
import { err, ok } from '../../runtime/result.ts';
import type { ImportRepository } from '../repository/repository.ts';
import { findPendingUpload, uploadGone } from './pending-upload.ts';
import { type AddressDeps, addressesOf } from './upload-addresses.ts';

/** `GET uploads/{job_id}`: returns new addresses for the missing parts, so that an upload can take longer than an hour. */
export const getUpload: UseCase<
  AddressDeps & {
    readonly imports: ImportRepository;
    readonly parts: AddressDeps['parts'] & Pick<PartUploads, 'list'>;
  }
> = async (deps, request) => {
  const found = await findPendingUpload(deps.imports, request);
  if (!found.ok) return found;
  const { job, awaited, key } = found.value;
  const present = awaited.parts ? await deps.parts.list(key, awaited.parts.upload) : [];
  if (!present) return err(uploadGone);
  const addresses = await addressesOf(deps, key, awaited, request.now, present);
  return ok({ status: 200, body: { job_id: job.id, ...addresses } });
};
