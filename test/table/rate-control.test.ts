import { expect, it } from 'vitest';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { Deadline } from '../../shared/runtime/deadline.ts';
import { rateControl } from '../../shared/table/rate-control.ts';

/** A control on a clock that only its own waiting moves. */
const controlled = () => {
  const time = { now: 0 };
  const control = rateControl({
    clock: () => time.now,
    sleep: (ms) => Promise.resolve(void (time.now += ms)),
  });
  return { time, control };
};

const throttle = { admitted: 25, served: 0, throttled: 25 };

it('calls do not wait before the table throttles for the first time', async () => {
  const { time, control } = controlled();
  for (let call = 0; call < 100; call += 1) {
    await control.admit(25);
    control.answered({ admitted: 25, served: 25, throttled: 0 });
  }
  expect(time.now).toBe(0);
});

it('calls leave in the order in which they ask, however many units they need', async () => {
  const { control } = controlled();
  control.answered(throttle);
  const left: number[] = [];
  await Promise.all([100, 1, 50, 1].map((units, call) => control.admit(units).then(() => left.push(call))));
  expect(left).toEqual([0, 1, 2, 3]);
});

it('a call waits for the units that the calls before it used', async () => {
  const { time, control } = controlled();
  control.answered(throttle);
  await control.admit(100);
  const first = time.now;
  await control.admit(1);
  expect(time.now - first).toBeGreaterThan(1_000);
});

it('an estimate that was too low is paid by the next call', async () => {
  const waited = async (served: number): Promise<number> => {
    const { time, control } = controlled();
    control.answered(throttle);
    await control.admit(1);
    control.answered({ admitted: 1, served, throttled: 0 });
    const since = time.now;
    await control.admit(1);
    return time.now - since;
  };
  expect(await waited(250)).toBeGreaterThan(await waited(1));
});

it('a waiting call ends with the deadline of its work, and the next one gets its turn', async () => {
  const { time, control } = controlled();
  control.answered(throttle);
  await control.admit(10_000);
  const late = new Deadline({ clock: () => time.now, until: time.now + 1_000 }).run(() => control.admit(1));
  const next = control.admit(1);
  await expect(late).rejects.toBeInstanceOf(UnavailableError);
  await next;
});
