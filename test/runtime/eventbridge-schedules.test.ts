import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Gateway } from '../../local/gateway/gateway.ts';
import type { Target } from '../../local/services/events/targets.ts';
import { createScheduler } from '../../local/services/scheduler/scheduler.ts';
import { schedulerService } from '../../local/services/scheduler/service.ts';
import { openScheduleStore } from '../../local/services/scheduler/stored.ts';
import { schedules } from '../../shared/runtime/eventbridge-schedules.ts';
import { startGateway } from '../../local/test/gateway/cloud.ts';
import { stubAws } from './aws-environment.ts';

const arn = 'arn:aws:sqs:eu-west-1:000000000000';
const target = {
  ...{ group: 'exports', queueArn: `${arn}:runs`, deadLettersArn: `${arn}:runs-dead-letters` },
  roleArn: 'arn:aws:iam::000000000000:role/sender',
};
const delivered: Target[] = [];
const scheduler = createScheduler((target) => {
  delivered.push(target);
  return Promise.resolve();
}, Date.now);
let gateway: Gateway;

beforeAll(async () => {
  const service = schedulerService({ scheduler, store: openScheduleStore(undefined), now: Date.now });
  gateway = await startGateway([service]);
  stubAws(gateway.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  scheduler.stop();
  await gateway.close();
});

it('a schedule that exists is created, and one that is gone is removed', async () => {
  const made = schedules(target);
  const timezone = 'Europe/Berlin';
  const schedule = { name: 'twice', expression: 'rate(1 hour)', timezone, input: '{}', once: false };
  for (let time = 0; time < 2; time += 1) await made.create(schedule);
  await scheduler.fire('twice');
  for (let time = 0; time < 2; time += 1) await made.remove('twice');
  expect(delivered.splice(0)).toHaveLength(1);
});

it('a message of a schedule that its queue does not take goes to the dead letters of the queue', async () => {
  const made = schedules(target);
  const timezone = 'Europe/Berlin';
  await made.create({ name: 'nightly', expression: 'rate(1 hour)', timezone, input: '{}', once: false });
  await scheduler.fire('nightly');
  expect(delivered).toMatchObject([{ arn: `${arn}:runs`, deadLetters: `${arn}:runs-dead-letters` }]);
});
