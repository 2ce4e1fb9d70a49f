import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DescribeExecutionCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from 'vitest';

import { signedFetch } from './support/signed-fetch.ts';
import { startFixture, accessTo } from './fixtures/cloud.ts';
import { storedBodies } from './fixtures/items.ts';
import { allow } from './gateway/cloud.ts';
import { until } from './support/until.ts';

const GENERAL = { region: 'us-east-1', credentials: { accessKeyId: 'tester', secretAccessKey: 'secret' } };

let now = Date.parse('2026-11-21T12:00:00Z');
const cloud = await startFixture({ now: () => now });
const principal = 'arn:aws:iam::000000000000:user/tester';
const policy = [allow(['states:*', 'scheduler:*', 'iam:PassRole'])];
cloud.gateway.registerCaller({ ...GENERAL.credentials, name: 'tester', principal, policy });
afterAll(() => cloud.stop());

/** A client on this machine that uses the credentials in the file of addresses. */
const local = () => accessTo(cloud);

describe('the credentials of the file of addresses', () => {
  it('open every service of this start', async () => {
    const [queue] = cloud.deployment.queues;
    const sqs = new SQSClient(local());
    expect((await sqs.send(new GetQueueUrlCommand({ QueueName: queue?.name }))).QueueUrl).toBeDefined();
    const sfn = new SFNClient(local());
    const stateMachineArn = cloud.deployment.machines[0]?.ref;
    expect((await sfn.send(new ListExecutionsCommand({ stateMachineArn }))).executions).toBeDefined();
  });

  it('cannot be guessed', async () => {
    const { access_key_id, secret_access_key } = cloud.awsAccess;
    expect(access_key_id).toMatch(/^AKIA[0-9A-F]{32}$/);
    expect(secret_access_key).toMatch(/^[0-9a-f]{64}$/);
    const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
    const guessed = new LambdaClient({ ...local(), credentials });
    const command = new InvokeCommand({ FunctionName: 'fixture-work-step', Payload: '{}' });
    await expect(guessed.send(command)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });
});

describe('Lambda, for the operator', () => {
  const client = () => new LambdaClient(local());
  const invoke = (
    FunctionName: string,
    payload: object,
    more: { InvocationType?: 'Event' | 'DryRun' } = {},
  ) => client().send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(payload), ...more }));

  it('invokes a function by name or ARN and gives its answer', async () => {
    const name = 'fixture-work-step';
    for (const given of [name, `arn:aws:lambda:us-east-1:000000000000:function:${name}`]) {
      const answer = await invoke(given, { command: 'one', item: { index: 4 } });
      expect(JSON.parse(answer.Payload?.transformToString() ?? '')).toEqual({
        item: { index: 4 },
        done: true,
      });
    }
  });

  it('reports an error of the function as FunctionError', async () => {
    const answer = await invoke('fixture-work-step', { command: { fail: 'Bad' } });
    expect(answer.FunctionError).toBe('Unhandled');
    expect(JSON.parse(answer.Payload?.transformToString() ?? '')).toMatchObject({ errorType: 'Bad' });
  });

  it('takes an event and runs it later', async () => {
    const answer = await invoke('fixture-work-worker', { hello: 'event' }, { InvocationType: 'Event' });
    expect(answer.StatusCode).toBe(202);
    await cloud.idle();
    expect(await storedBodies(cloud)).toContain('{"hello":"event"}');
  });

  it('tries a call without running the function', async () => {
    const seen: string[] = [];
    const stop = cloud.observeInvocations(({ functionName }) => void seen.push(functionName));
    const answer = await invoke('fixture-work-worker', { hello: 'dry run' }, { InvocationType: 'DryRun' });
    expect(answer.StatusCode).toBe(204);
    await expect(invoke('nobody', {}, { InvocationType: 'DryRun' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    await cloud.idle();
    stop();
    expect(seen).toEqual([]);
    expect(await storedBodies(cloud)).not.toContain('{"hello":"dry run"}');
  });

  it('knows no other function', async () => {
    await expect(invoke('nobody', {})).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

describe('Step Functions', () => {
  const client = () => new SFNClient({ ...GENERAL, endpoint: cloud.awsEndpoint });
  const stateMachineArn = (): string => cloud.deployment.machines[0]?.ref ?? '';
  const start = (name: string, input: object) =>
    client().send(
      new StartExecutionCommand({ stateMachineArn: stateMachineArn(), name, input: JSON.stringify(input) }),
    );

  it('starts, describes and lists executions', async () => {
    const { executionArn } = await start('told', { command: {} });
    const ended = await until('it has ended', async () => {
      const told = await client().send(new DescribeExecutionCommand({ executionArn }));
      return told.status === 'RUNNING' ? undefined : told;
    });
    expect(ended).toMatchObject({ status: 'SUCCEEDED', output: '{"done":[]}', input: '{"command":{}}' });
    expect(ended.startDate?.getTime()).toBe(now);
    const { executions } = await client().send(
      new ListExecutionsCommand({ stateMachineArn: stateMachineArn() }),
    );
    expect(executions?.map(({ name }) => name)).toEqual(['told']);
  });

  it('stops an execution', async () => {
    const { executionArn } = await start('stopped', { command: { fail: 'Flaky' } });
    await client().send(new StopExecutionCommand({ executionArn, error: 'Enough', cause: 'of this' }));
    const told = await client().send(new DescribeExecutionCommand({ executionArn }));
    expect(told).toMatchObject({ status: 'ABORTED', error: 'Enough', cause: 'of this' });
  });

  it('has its own errors', async () => {
    await expect(start('no name', {})).rejects.toMatchObject({ name: 'InvalidName' });
    const describing = client().send(new DescribeExecutionCommand({ executionArn: 'arn:aws:states:x' }));
    await expect(describing).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
  });
});

describe('Scheduler', () => {
  /** No client of it is installed: its protocol is plain JSON over HTTP. */
  const call = async (
    method: string,
    name: string,
    body?: object,
  ): Promise<{ status: number; body: unknown }> => {
    const answer = await signedFetch(`${cloud.awsEndpoint}/schedules/${name}`, {
      ...GENERAL,
      service: 'scheduler',
      method,
      headers: { 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: await answer.json() };
  };

  const schedule = (expression: string, input: string) => {
    const target = cloud.deployment.schedules[0]?.properties.Target;
    return {
      ScheduleExpression: expression,
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
      Target: { Arn: target?.Arn, RoleArn: target?.RoleArn, Input: input },
    };
  };

  it('calls the target when the clock says so, once, and forgets a schedule that asked for it', async () => {
    const input = '{"at":"<aws.scheduler.scheduled-time>"}';
    expect((await call('POST', 'once', schedule('at(2026-11-21T13:00:00)', input))).status).toBe(200);
    expect((await call('POST', 'once', schedule('at(2026-11-21T13:00:00)', input))).status).toBe(409);
    now = Date.parse('2026-11-21T13:00:00Z');
    await until('it has fired', async () => (await call('GET', 'once')).status === 404 || undefined);
    await cloud.idle();
    const fired = (await storedBodies(cloud)).filter((body) => body.startsWith('{"at"'));
    expect(fired).toEqual(['{"at":"2026-11-21T13:00:00Z"}']);
  });

  it('changes and deletes schedules', async () => {
    await call('POST', 'often', schedule('rate(1 hour)', '{}'));
    await call('PUT', 'often', schedule('rate(2 hours)', '{}'));
    expect((await call('GET', 'often')).body).toMatchObject({
      Name: 'often',
      ScheduleExpression: 'rate(2 hours)',
    });
    expect((await call('DELETE', 'often')).status).toBe(200);
    expect((await call('DELETE', 'often')).status).toBe(404);
  });

  it('refuses an expression that it cannot read, and a caller who may not pass the role', async () => {
    expect((await call('POST', 'bad', schedule('sometimes', '{}'))).status).toBe(400);
    const giveBack = cloud.gateway.withoutAction('tester', 'iam:PassRole');
    expect((await call('POST', 'roleless', schedule('rate(1 hour)', '{}'))).status).toBe(403);
    giveBack();
  });
});
