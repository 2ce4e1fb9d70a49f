import { problems } from '../../http/problem.ts';

/** The refusal of rows for an undone job. */
export const undoneJob = problems.conflict('job_undone', 'The job was undone and accepts no rows.');
