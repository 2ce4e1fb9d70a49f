/** Import event: the body that the service posts to the webhook of an import definition. */
import * as v from 'valibot';
import { described } from '../../http/described.ts';
import { idSchema } from '../../http/text.ts';
import { jobDetailAnswer } from './job-schemas.ts';
import { jobStatuses } from '../items/job-status.ts';
import type { jobDetailView } from './views.ts';

/** The import of a file has ended. */
export const importEnded = v.object({
  type: described('What happened.', v.picklist(['import.completed', 'import.failed'])),
  import_id: described('The id of the import definition.', idSchema),
  import_name: described('The name of the import definition.', v.string()),
  job_id: described('The id of the job.', idSchema),
  status: described('The status of the job.', v.picklist(jobStatuses)),
  timestamp: described('When the job ended.', v.pipe(v.string(), v.isoTimestamp())),
  job: described(
    'The job, as `GET` shows it to a token without `people.read`: no text quotes the file.',
    jobDetailAnswer,
  ),
});
export type ImportEnded = Omit<v.InferOutput<typeof importEnded>, 'job'> & {
  readonly job: ReturnType<typeof jobDetailView>;
};
