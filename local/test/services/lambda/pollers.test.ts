import { describe, expect, it } from 'vitest';
import { createPollers, realWidth, type Width } from '../../../services/lambda/pollers.ts';

/** Pollers of a queue that always has messages while `full` is true. `finish` ends the work of some batches. */
const open = (width: Width) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const working: (() => void)[] = [];
  const idle: (() => void)[] = [];
  const state = { full: true };
  const pollers = createPollers(width, signal, async (work) => {
    const wait = (waiting: (() => void)[]) => new Promise<void>((resolve) => waiting.push(resolve));
    await (state.full ? work(() => wait(working)) : wait(idle));
  });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    pollers,
    settle,
    finish: async (count: number) => {
      for (const end of working.splice(0, count)) end();
      await settle();
    },
    drain: async () => {
      state.full = false;
      for (const end of working.splice(0)) end();
      await settle();
    },
    refill: async () => {
      state.full = true;
      for (const end of idle.splice(0)) end();
      await settle();
    },
    stop: async () => {
      stopping.abort();
      for (const end of [...working.splice(0), ...idle.splice(0)]) end();
      await pollers.ended();
    },
  };
};

describe('the pollers of a mapping', () => {
  // Lambda Developer Guide, "Configuring scaling behavior for SQS event source mappings".
  it('start with five, and grow by five a second while all have work, up to the maximum concurrency', async () => {
    const { pollers, stop } = open(realWidth(12));
    const widths = [pollers.busy()];
    for (let second = 0; second < 3; second += 1) {
      pollers.adjust();
      widths.push(pollers.busy());
    }
    expect(widths).toEqual([5, 10, 12, 12]);
    await stop();
  });

  it('are never more than the maximum concurrency, and reach 1,000 without one', () => {
    expect(realWidth(2)).toEqual({ first: 2, most: 2 });
    expect(realWidth()).toEqual({ first: 5, most: 1_000 });
  });

  it('go back to the first ones without work', async () => {
    const { pollers, drain, refill, stop } = open(realWidth(20));
    pollers.adjust();
    await drain();
    pollers.adjust();
    await refill();
    expect(pollers.busy()).toBe(5);
    await stop();
  });

  it('are halved once a second while the function has no room, down to one, and grow again', async () => {
    const { pollers, finish, stop } = open(realWidth(20));
    const busy: number[] = [];
    for (let second = 0; second < 3; second += 1) {
      pollers.backOff();
      pollers.backOff();
      pollers.adjust();
      await finish(pollers.busy());
      busy.push(pollers.busy());
    }
    expect(busy).toEqual([2, 1, 1]);
    pollers.adjust();
    expect(pollers.busy()).toBe(6);
    await stop();
  });
});
