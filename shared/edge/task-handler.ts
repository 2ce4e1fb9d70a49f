/** Task handler: runs one step of a Step Functions workflow. */
import * as v from 'valibot';
import { isUnavailable, UnavailableError } from '../runtime/aws-errors.ts';
import { isBusy } from '../runtime/busy.ts';
import type { Env, EnvName } from '../runtime/env.ts';
import { LAST_MILLISECONDS, withinInvocation, type LambdaContext } from '../runtime/deadline.ts';
import { errorFacts, type Log, systemLog } from '../runtime/log.ts';
import { systemClock } from '../runtime/clock.ts';
import { buildOnce } from './build-once.ts';

/** The Lambda function of a step: it answers, or throws so that the workflow tries again. */
export type TaskHandler<Answer> = (event: unknown, context?: LambdaContext) => Promise<Answer>;

const about = v.object({ property: v.optional(v.number()), job: v.optional(v.number()) });

/**
 * The Lambda handler of a step. `schema` parses the event, `deps` builds the ports once (its parameter is `EnvOf` the
 * manifest entry, see `queueHandler`), and each run writes one log line. Exceptions are logged and rethrown, so that
 * the workflow's retries apply. The failure of a busy service (`isBusy`) is thrown as `UnavailableError`, the name that
 * the workflows retry for as long as it lasts. The step ends before Lambda's time-out, so that it can tell.
 */
export const taskHandler = <Input, Deps, Answer, Name extends EnvName>(
  schema: v.GenericSchema<unknown, Input>,
  task: (deps: Deps, input: NoInfer<Input>) => Promise<Answer>,
  deps: (env: Env<Name>) => Deps,
  log: Log = systemLog,
): TaskHandler<Answer> => {
  const portsOf = buildOnce(deps);
  return withinInvocation(
    async (event: unknown) => {
      const named = v.safeParse(about, event);
      const { property, job } = named.success ? named.output : {};
      const fields = {
        ...(property === undefined ? {} : { property }),
        ...(job === undefined ? {} : { job }),
      };
      try {
        const answer = await task(portsOf(), v.parse(schema, event));
        log('task.done', fields);
        return answer;
      } catch (error) {
        const busy = isBusy(error);
        log(busy ? 'task.postponed' : 'task.failed', { ...fields, error: errorFacts(error) });
        if (busy)
          throw new UnavailableError('a service that this task needs is not available now', { cause: error });
        throw isUnavailable(error) ? new Error('the time for this task is over', { cause: error }) : error;
      }
    },
    systemClock,
    LAST_MILLISECONDS,
  );
};
