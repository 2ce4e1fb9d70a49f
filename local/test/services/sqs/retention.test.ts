import { expect, it } from 'vitest';
import { openQueues } from '../../../services/sqs/queues.ts';

it('a message goes after the retention of its queue, whether somebody has received it or not', () => {
  const clock = { at: 0 };
  const queues = openQueues({ now: () => clock.at });
  queues.create({ name: 'work', retention: 60 });
  const queue = queues.find('work');
  queue.send({ body: 'received' });
  queue.receive(1);
  queue.send({ body: 'waiting' });
  clock.at = 1_000;
  queue.send({ body: 'later' });
  queue.expire(59_999);
  expect(queue.messages()).toHaveLength(3);
  queue.expire(60_000);
  expect(queue.messages()).toMatchObject([{ body: 'later' }]);
  queues.close();
});
