import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../core/service-error.ts';
import type { NeededPermission } from '../../../core/types.ts';
import type { BusEvent } from '../../../services/events/object-created.ts';
import { createFaults } from '../../../core/faults.ts';
import { createBus } from '../../../services/events/bus.ts';
import { createDelivery, type Deliver, type Target } from '../../../services/events/targets.ts';

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:work';
const DEAD = 'arn:aws:sqs:us-east-1:000000000000:dead';
const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:f';
const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:m';
const TOPIC = 'arn:aws:sns:us-east-1:000000000000:t';
const RULE = 'arn:aws:events:us-east-1:000000000000:rule/r';
const sender = { principal: 'events.amazonaws.com', sourceArn: RULE };

interface Options {
  /** Targets to which no policy allows a call. */
  readonly denied?: readonly string[];
  readonly failing?: Error;
}

/** A delivery whose ports record their calls. */
const open = ({ denied = [], failing }: Options = {}) => {
  const sent: unknown[][] = [];
  const checked: unknown[][] = [];
  const reported: string[] = [];
  const check = (...args: readonly [...unknown[], NeededPermission]): void => {
    checked.push([...args]);
    const needed = args.at(-1);
    if (denied.some((arn) => JSON.stringify(needed).includes(arn)))
      throw new ServiceError('AccessDenied', 'denied', 403);
  };
  const deliver = createDelivery(
    {
      authority: {
        requireRole: (role, needed) => check(role, needed),
        requireService: (principal, source, needed) => check(principal, source, needed),
      },
      sendMessage: (...args) => void sent.push(['message', ...args]),
      invokeFunction: (...args) => {
        sent.push(['invoke', ...args]);
        return failing ? Promise.reject(failing) : Promise.resolve();
      },
      startExecution: (arn, _name, input) => void sent.push(['start', arn, input]),
      publish: (...args) => void sent.push(['publish', ...args]),
    },
    (problem) => reported.push(problem),
  );
  return { deliver, sent, checked, reported };
};

describe('a delivery', () => {
  it.each<[Target, unknown[], string]>([
    [{ arn: QUEUE }, ['message', QUEUE, '{}', undefined], 'sqs:SendMessage'],
    [{ arn: QUEUE, groupId: 'g' }, ['message', QUEUE, '{}', 'g'], 'sqs:SendMessage'],
    [{ arn: FUNCTION }, ['invoke', FUNCTION, '{}'], 'lambda:InvokeFunction'],
    [{ arn: MACHINE }, ['start', MACHINE, '{}'], 'states:StartExecution'],
    [{ arn: TOPIC }, ['publish', TOPIC, '{}'], 'sns:Publish'],
  ])('to %j reaches the service of the ARN with its own permission', async (target, expected, action) => {
    const { deliver, sent, checked } = open();
    await deliver(target, sender, '{}');
    expect(sent).toEqual([expected]);
    expect(checked).toEqual([['events.amazonaws.com', RULE, { action, resource: target.arn }]]);
  });

  it('to a topic is the text of the transformer, with values of the event', async () => {
    const { deliver, sent } = open();
    const transformer = {
      paths: { what: '$.detail.list[1].name', none: '$.detail.other' },
      template: '"<what> of <none>."',
    };
    await deliver({ arn: TOPIC, transformer }, sender, '{"detail":{"list":[{},{"name":"second"}]}}');
    expect(sent).toEqual([['publish', TOPIC, 'second of .']]);
  });

  it('with a role needs the permission of the role, not of the resource', async () => {
    const { deliver, checked } = open();
    await deliver({ arn: MACHINE, roleArn: 'role' }, sender, '{}');
    expect(checked).toEqual([['role', { action: 'states:StartExecution', resource: MACHINE }]]);
  });

  it.each<[string, Options, Target]>([
    ['a denied target', { denied: [FUNCTION] }, { arn: FUNCTION, deadLetters: DEAD }],
    [
      'a function that does not take the event',
      { failing: new ServiceError('RequestTooLargeException', 'too large') },
      { arn: FUNCTION, deadLetters: DEAD },
    ],
    ['an unsupported service', {}, { arn: 'arn:aws:ses:us-east-1:000000000000:t', deadLetters: DEAD }],
  ])('of %s sends the event to the dead-letter queue and reports it', async (_, options, target) => {
    const { deliver, sent, reported } = open(options);
    await deliver(target, sender, '{"a":1}');
    expect(sent.at(-1)).toEqual(['message', DEAD, '{"a":1}', undefined]);
    expect(reported).toEqual([expect.stringContaining(`${RULE} could not reach ${target.arn}`)]);
  });

  it('without a dead-letter queue only reports the failure', async () => {
    const { deliver, sent, reported } = open({ denied: [QUEUE] });
    await deliver({ arn: QUEUE }, sender, '{}');
    expect(sent).toEqual([]);
    expect(reported).toHaveLength(1);
  });

  it('an event that neither its target nor the dead-letter queue takes is lost, and both failures are reported', async () => {
    const { deliver, sent, reported } = open({ denied: [FUNCTION, DEAD] });
    await deliver({ arn: FUNCTION, deadLetters: DEAD }, sender, '{}');
    expect(sent).toEqual([]);
    expect(reported).toEqual([
      `${RULE} could not reach ${FUNCTION}: denied`,
      `${RULE} could not reach ${DEAD}: denied`,
    ]);
  });

  it('does not hide a bug', async () => {
    const { deliver, sent } = open({ failing: new TypeError('bug') });
    await expect(deliver({ arn: FUNCTION, deadLetters: DEAD }, sender, '{}')).rejects.toThrow('bug');
    expect(sent).toHaveLength(1);
  });
});

describe('the bus', () => {
  const event: BusEvent = {
    version: '0',
    id: 'e',
    'detail-type': 'Object Created',
    source: 'aws.s3',
    account: '000000000000',
    time: '2026-08-01T00:00:00Z',
    region: 'us-east-1',
    resources: [],
    detail: { bucket: { name: 'b' } },
  };
  const rule = (name: string, pattern: object, ...targets: readonly string[]) => ({
    arn: name,
    pattern,
    targets: targets.map((arn) => ({ arn })),
  });

  it('sends an event to every target of every matching rule, in the name of the rule', async () => {
    const delivered: unknown[] = [];
    const deliver: Deliver = (target, from) => {
      delivered.push([target.arn, from.sourceArn]);
      return Promise.resolve();
    };
    const bus = createBus(
      [
        rule('all', { source: ['aws.s3'] }, QUEUE, FUNCTION),
        rule('other', { source: ['aws.transfer'] }, MACHINE),
        rule('bucket', { detail: { bucket: { name: ['b'] } } }, MACHINE),
      ],
      deliver,
    );
    await bus.put(event);
    expect(delivered).toEqual([
      [QUEUE, 'all'],
      [FUNCTION, 'all'],
      [MACHINE, 'bucket'],
    ]);
  });

  it('delivers some events twice under faults', async () => {
    const delivered: string[] = [];
    const deliver: Deliver = (target) => Promise.resolve(void delivered.push(target.arn));
    const bus = createBus(
      [rule('all', { source: ['aws.s3'] }, QUEUE, FUNCTION)],
      deliver,
      createFaults(1, 1),
    );
    await bus.put(event);
    expect(delivered).toEqual([QUEUE, QUEUE, FUNCTION, FUNCTION]);
  });

  it('is busy until the last delivery has ended, also when a delivery fails', async () => {
    const failure = Promise.withResolvers<undefined>();
    const bus = createBus([rule('r', { source: ['aws.s3'] }, QUEUE)], () => failure.promise);
    const put = bus.put(event);
    expect(bus.busy()).toBe(1);
    failure.reject(new Error('bug'));
    await expect(put).rejects.toThrow('bug');
    expect(bus.busy()).toBe(0);
  });

  it('refuses a rule with an unknown filter', () => {
    expect(() =>
      createBus([rule('r', { source: [{ cidr: '10.0.0.0/8' }] })], () => Promise.resolve()),
    ).toThrow();
  });
});
