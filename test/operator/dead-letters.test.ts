import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { operate, type OperatorAnswer } from '../../shared/operator/operator-commands.ts';
import { logTo } from '../../shared/runtime/log.ts';
import { authHarness, must } from '../auth/harness.ts';
import { memoryDeadLetters } from '../support/memory-dead-letters.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const MINUTE = 60_000;
const BATCHES = 'importBatches-dead-letters';

let letters: ReturnType<typeof memoryDeadLetters>;
let run: (command: string, queue?: string) => Promise<OperatorAnswer>;
beforeEach(() => {
  letters = memoryDeadLetters();
  const deps = { ...authHarness().deps, clock: () => NOW, deadLetters: letters.ports };
  run = (command, queue) =>
    operate(deps, { command: `dead-letters.${command}`, ...(queue !== undefined && { queue }) });
});

/** A batch that failed `minutes` ago. */
const batch = (id: string, minutes: number) => ({
  id,
  body: JSON.stringify({ v: 1, property: 1001, job: 1_001_000_000_001, batch: 'ada@example.org' }),
  sentAt: NOW - minutes * MINUTE,
});
const failed = (id: string, message: string): string => {
  let line = '';
  const log = logTo((written) => (line = written));
  log('message.failed', { message_id: id, count: 1, error: { name: 'RangeError', message, at: [] } });
  return line;
};

describe('the list of dead letters', () => {
  it('names every queue, its function, its oldest message and the first error of that message', async () => {
    letters.at(BATCHES).push(batch('young', 3), batch('old', 125));
    letters.lines.push(failed('young', 'another'), failed('old', 'the first'), failed('old', 'the second'));
    expect(must(await run('list'))['dead_letters']).toEqual([
      {
        queue: 'importBatches',
        function: 'importBatch',
        messages: 2,
        oldest: '2026-11-23T09:55:00.000Z',
        age: '2 h',
        first_error: 'RangeError: the first',
      },
      { queue: 'drains', function: 'drain', messages: 0, oldest: null, age: null, first_error: null },
      { queue: 'schedules', function: null, messages: 0, oldest: null, age: null, first_error: null },
    ]);
  });

  it('searches the log of the consumer from the oldest message on, and no log of an empty queue', async () => {
    must(await run('list'));
    expect(letters.searches).toEqual([]);
    letters.at(BATCHES).push(batch('young', 3), batch('old', 125));
    must(await run('list'));
    expect(letters.searches).toEqual([['/aws/lambda/importBatch', NOW - 125 * MINUTE]]);
  });

  it('searches the log of an ordered queue from an hour before, because that queue dates dead letters anew', async () => {
    letters.at('drains-dead-letters.fifo').push(batch('late', 3));
    must(await run('list'));
    expect(letters.searches).toEqual([['/aws/lambda/drain', NOW - 63 * MINUTE]]);
  });

  it('reads the log no further than the first error of the oldest message', async () => {
    letters.at(BATCHES).push(batch('young', 3), batch('old', 125));
    letters.lines.push(failed('young', 'another'), failed('old', 'the first'), failed('old', 'the second'));
    must(await run('list'));
    expect(letters.read).toEqual(letters.lines.slice(0, 2));
  });

  it('tells why the scheduler could not deliver, without a log', async () => {
    const lost = {
      id: 'call',
      body: '{}',
      sentAt: NOW - 4 * 1_440 * MINUTE,
      reason: 'AccessDenied: no role',
    };
    letters.at('schedules-dead-letters').push(lost);
    expect(must(await run('list'))['dead_letters']).toMatchObject([
      { messages: 0 },
      { messages: 0 },
      { queue: 'schedules', messages: 1, age: '4 d', first_error: 'AccessDenied: no role' },
    ]);
    expect(letters.searches).toEqual([]);
  });
});

describe('the dead letters of a queue', () => {
  it('are shown the oldest first, with the ids that they are about and their first errors', async () => {
    letters.at(BATCHES).push(batch('young', 3), batch('old', 125), { ...batch('odd', 9), body: 'no JSON' });
    letters.lines.push(failed('young', 'another'), 'no JSON but message.failed');
    const about = 'property 1001, job 1001000000001';
    expect(must(await run('show', 'importBatches'))).toMatchObject({
      queue: 'importBatches',
      function: 'importBatch',
      messages: 3,
      shown: [
        { id: 'old', sent: '2026-11-23T09:55:00.000Z', age: '2 h', about, first_error: null },
        { id: 'odd', age: '9 min', about: null },
        { id: 'young', age: '3 min', about, first_error: 'RangeError: another' },
      ],
    });
  });

  it('show nothing of a message but its ids', async () => {
    letters.at(BATCHES).push(batch('young', 3));
    expect(JSON.stringify(await run('show', 'importBatches'))).not.toContain('ada@example.org');
  });

  it('are shown up to a bound, with the number of all', async () => {
    const many = limits.operator.shownLetters + 1;
    letters.at(BATCHES).push(...Array.from({ length: many }, (_, index) => batch(`m${index}`, index)));
    const { messages, shown } = must(await run('show', 'importBatches'));
    expect(messages).toBe(many);
    expect(shown).toHaveLength(limits.operator.shownLetters);
  });

  it('go back to their queue in a redrive', async () => {
    letters.at(BATCHES).push(batch('young', 3), batch('old', 125));
    expect(await run('redrive', 'importBatches')).toEqual({ ok: true, queue: 'importBatches', moving: 2 });
    expect(letters.at(BATCHES)).toEqual([]);
    expect(letters.at('importBatches').map(({ id }) => id)).toEqual(['young', 'old']);
    expect(await run('redrive', 'importBatches')).toEqual({ ok: true, queue: 'importBatches', moving: 0 });
  });

  it.each(['redrive', 'delete'])('leave in a %s that begins while SQS counts none of them', async (one) => {
    letters.at(BATCHES).push(batch('uncounted', 3));
    letters.ports.queues.count = () => Promise.resolve(0);
    expect(await run(one, 'importBatches')).toMatchObject({ ok: true });
    expect(letters.at(BATCHES)).toEqual([]);
  });

  it('are deleted, and the messages of other queues stay', async () => {
    letters.at(BATCHES).push(batch('young', 3));
    letters.at('schedules-dead-letters').push(batch('call', 3));
    expect(await run('delete', 'schedules')).toEqual({ ok: true, queue: 'schedules', deleted: 1 });
    expect(letters.at(BATCHES)).toHaveLength(1);
  });

  it.each(['redrive', 'delete'])(
    'stay while SQS works on an earlier %s, and the refusal says so',
    async (one) => {
      letters.at(BATCHES).push(batch('young', 3));
      Object.assign(letters.busy, { moving: true, purging: true });
      expect(await run(one, 'importBatches')).toMatchObject({ ok: false, error: { code: 'conflict' } });
      expect(letters.at(BATCHES)).toHaveLength(1);
    },
  );

  it('of schedules are not sent back: the next call does the work', async () => {
    letters.at('schedules-dead-letters').push(batch('call', 3));
    expect(await run('redrive', 'schedules')).toMatchObject({ ok: false, error: { code: 'no_way_back' } });
    expect(letters.at('schedules-dead-letters')).toHaveLength(1);
  });

  it.each(['show', 'redrive', 'delete'])('%s names the queues when there is no such queue', async (one) => {
    expect(await run(one, 'importBatch')).toMatchObject({
      error: {
        code: 'unknown_queue',
        message: 'There is no such queue; the queues are importBatches, drains, schedules.',
      },
    });
  });
});
