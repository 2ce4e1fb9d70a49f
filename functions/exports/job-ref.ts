import * as v from 'valibot';

const id = v.pipe(v.number(), v.safeInteger());

/** What the workflow tells every task: the job. */
export const jobRef = v.object({ property: id, export: id, job: id });

/** What a schedule tells: the definition, and which revision of it. */
export const revisionRef = v.object({ property: id, export: id, revision: id });
