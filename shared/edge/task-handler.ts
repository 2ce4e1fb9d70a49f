import * as v from 'valibot';
import { isUnavailable, UnavailableError } from '../runtime/aws-errors.ts';
import { isDeadlineOver } from '../runtime/deadline.ts';
import { withinInvocation, type LambdaContext } from '../runtime/invocation.ts';
import { errorFacts, type Log, systemLog } from '../runtime/log.ts';

/** A Lambda function that a workflow or a schedule calls: it answers, or throws for the caller to try again. */
export type TaskHandler<Answer> = (event: unknown, context?: LambdaContext) => Promise<Answer>;

const about = v.object({ property: v.optional(v.number()), job: v.optional(v.number()) });

/**
 * Wraps a task: `schema` parses the event, `build` wires the task at its first run, and each run leaves one log line.
 * What is thrown is logged and thrown on, so that the caller's retries apply: as `UnavailableError` what passes by itself,
 * which workflows know by this name. A task that has used up its time would use it up again, so it is no such trouble.
 */
export const taskHandler = <Input, Answer>(
  schema: v.GenericSchema<unknown, Input>,
  build: () => (input: Input) => Promise<Answer>,
  log: Log = systemLog,
): TaskHandler<Answer> => {
  let task: ((input: Input) => Promise<Answer>) | undefined;
  return withinInvocation(async (event: unknown) => {
    const named = v.safeParse(about, event);
    const { property, job } = named.success ? named.output : {};
    const fields = { ...(property === undefined ? {} : { property }), ...(job === undefined ? {} : { job }) };
    try {
      task ??= build();
      const answer = await task(v.parse(schema, event));
      log('task.done', fields);
      return answer;
    } catch (error) {
      log('task.failed', { ...fields, error: errorFacts(error) });
      if (!isUnavailable(error)) throw error;
      throw isDeadlineOver()
        ? new Error('the time for this task is over', { cause: error })
        : new UnavailableError('what this task needs is not available now', { cause: error });
    }
  });
};
