import { expect, it } from 'vitest';
import { openQueues } from '../../../services/sqs/queues.ts';

it('a dead letter that another service sent goes back only to a destination', () => {
  const queues = openQueues({ now: Date.now });
  for (const name of ['work', 'dead']) queues.create({ name, fifo: false });
  queues.find('dead').send({ body: 'event' });
  expect(queues.moveBack('dead', undefined)).toBe(0);
  expect(queues.find('dead').counts().visible).toBe(1);
  expect(queues.moveBack('dead', 'work')).toBe(1);
  expect(queues.find('dead').messages()).toEqual([]);
  expect(queues.find('work').messages()).toMatchObject([{ body: 'event' }]);
  queues.close();
});
