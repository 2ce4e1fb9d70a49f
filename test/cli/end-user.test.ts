import { describe, expect, it } from 'vitest';
import { endUser } from '../../cli/end-user.ts';
import type { Payload } from '../../cli/admin-commands.ts';
import type { AdminAnswer } from '../../cli/admin-service.ts';
import { limits } from '../../shared/config/limits.ts';

const none = { addresses: 0, links: 0, names: 0, next: null };

/** Runs a command on a service with these answers; what was asked and waited for, in order. */
const ended = async (payload: Payload, answers: readonly AdminAnswer[]) => {
  const done: unknown[] = [];
  const left = [...answers];
  const answer = await endUser(
    payload,
    (asked) => {
      done.push(asked);
      return Promise.resolve(left.shift() ?? { ok: false, error: { message: 'no answer left', errors: [] } });
    },
    {
      wait: (seconds) => {
        done.push(seconds);
        return Promise.resolve();
      },
      tell: () => undefined,
    },
  );
  return { answer, done };
};

describe('the commands that shut a user out', () => {
  it('user delete shuts out at once, waits until all requests have ended, and deletes then', async () => {
    const { answer, done } = await ended({ command: 'user.delete', username: 'ada', keep_links: true }, [
      { ok: true, user: 'disabled', ...none, addresses: 2, links: 1 },
      { ok: true, user: 'deleted', ...none, names: 7, links: 1 },
    ]);
    expect(answer).toEqual({ ok: true, user: 'deleted', addresses: 2, links: 2, names: 7 });
    expect(done).toEqual([
      { command: 'user.disable', username: 'ada', keep_links: true },
      limits.auth.quietSeconds,
      { command: 'user.delete', username: 'ada', keep_links: true },
    ]);
  });

  it('each goes on behind the last property until it is through, and adds up', async () => {
    const { answer, done } = await ended({ command: 'user.password', username: 'ada' }, [
      { ok: true, username: 'ada', password: 'secret', ...none, links: 1, next: 1001 },
      { ok: true, username: 'ada', ...none, links: 2 },
    ]);
    expect(answer).toEqual({
      ok: true,
      username: 'ada',
      password: 'secret',
      addresses: 0,
      links: 3,
      names: 0,
    });
    expect(done).toEqual([
      { command: 'user.password', username: 'ada' },
      { command: 'user.password', username: 'ada', after: 1001 },
    ]);
  });

  it('each ends with the first refusal', async () => {
    const { answer, done } = await ended({ command: 'user.disable', username: 'ada' }, []);
    expect([answer.ok, done.length]).toEqual([false, 1]);
  });
});
