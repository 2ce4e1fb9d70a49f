/** How many rows a file has, as its dry run found it: while the service reads the file, the job does not know yet. */
const expected = new Map<number, number>();

/** Notes the rows that a job will have. */
export const expectRows = (jobId: number, rows: number): void => {
  expected.set(jobId, rows);
};

/** The rows that a job will have; 0 if nobody knows. */
export const expectedRows = (jobId: number): number => expected.get(jobId) ?? 0;
