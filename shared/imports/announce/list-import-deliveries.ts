import { shownDeliveryLog } from '../../deliveries/views.ts';
import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import { jobInPath } from '../repository/find-in-path.ts';
import { importDeliveryId } from '../items/import-delivery.ts';
import type { ImportRepository } from '../repository/repository.ts';

/** `GET deliveries`: the state of each delivery about the end of a job that has begun, with its newest attempts. */
export const listImportDeliveries: UseCase<{ readonly imports: ImportRepository }> = async (
  { imports },
  request,
) => {
  const job = await jobInPath(imports, request);
  if (!job) return err(notFound('importJob', request));
  const deliveries = await imports.importDeliveries(job);
  const shown = deliveries.map((delivery) =>
    shownDeliveryLog(importDeliveryId(job, delivery.kind), delivery),
  );
  return ok({ status: 200, body: { deliveries: shown } });
};
