/** Dead letters as the operator function reaches them: by name, because later stacks create most of the queues. */
import { Aws } from 'aws-cdk-lib/core';
import type { deadLetterRoute } from '../../shared/operator/dead-letters.ts';
import type * as v from 'valibot';
import { entriesOf, physicalName, type Reachable, type Service } from './service.ts';
import { SCHEDULE_DEAD_LETTERS, workQueueName } from './queue-names.ts';

const arnOf = (service: 'sqs' | 'logs', resource: string): string =>
  `arn:${Aws.PARTITION}:${service}:${Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`;

type Route = v.InferInput<typeof deadLetterRoute>;

const routesOf = ({ stage, manifest }: Service): readonly Route[] => [
  ...entriesOf(manifest, 'queue').map(({ name, trigger: { queue } }) => ({
    name: queue,
    deadLetters: workQueueName(stage, queue, '-dead-letters'),
    from: {
      queue: workQueueName(stage, queue),
      consumer: name,
      logGroup: `/aws/lambda/${physicalName(stage, name)}`,
    },
  })),
  { name: 'schedules', deadLetters: physicalName(stage, SCHEDULE_DEAD_LETTERS) },
];

/** The logs of the functions behind queues, as resources in the form that IAM asks for reads of their lines. */
export const consumerLogs = (service: Service): readonly string[] =>
  routesOf(service).flatMap(({ from }) => (from ? [`log-group:${from.logGroup}:*`] : []));

/** The dead letters of all queues, the queues to which they go back, and the logs that say why they failed. */
export const deadLetterReachables = (
  service: Service,
): Record<'deadLetters' | 'workQueues' | 'consumerLogs', Reachable> => {
  const routes = routesOf(service);
  const origins = routes.flatMap(({ from }) => from ?? []);
  const reachable = ([arn = '', ...alsoArns]: readonly string[]): Reachable => ({
    value: JSON.stringify(routes),
    arn,
    alsoArns,
  });
  return {
    deadLetters: reachable(routes.map(({ deadLetters }) => arnOf('sqs', deadLetters))),
    workQueues: reachable(origins.map(({ queue }) => arnOf('sqs', queue))),
    consumerLogs: reachable(consumerLogs(service).map((log) => arnOf('logs', log))),
  };
};
