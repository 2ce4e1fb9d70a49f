/** Task inputs: the messages that name the work of a task, for the workflow and for the schedules. */
import * as v from 'valibot';

const id = v.pipe(v.number(), v.safeInteger());

/** The job that a task works on: the input of the tasks of both workflows. Some tasks add fields. */
export const jobRef = v.object({ property: id, export: id, job: id });

/** The revision of a definition in the message of a schedule. */
export const revisionRef = v.object({ property: id, export: id, revision: id });
