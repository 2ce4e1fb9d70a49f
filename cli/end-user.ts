/**
 * `npm run admin -- user disable|password|delete|erase`: shuts a user out, call by call, and looks again when all requests
 * have ended.
 */
import * as v from 'valibot';
import { limits } from '../shared/config/limits.ts';
import type { Payload } from './admin-commands.ts';
import type { AdminAnswer } from './admin-service.ts';

type Ask = (payload: Payload) => Promise<AdminAnswer>;

/** How to wait, and how to tell what happens meanwhile. The default waits on the clock, and tells on stderr. */
export interface EndPorts {
  readonly wait?: ((seconds: number) => Promise<void>) | undefined;
  readonly tell?: (step: string) => void;
}

const waitOnClock = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

const step = v.looseObject({
  addresses: v.number(),
  links: v.number(),
  names: v.number(),
  next: v.nullable(v.number()),
});

/**
 * Runs a command that shuts a user out. A request of the user may be under way for a minute, and make a link or a timeline
 * after the first look. So there is a second look when a user is disabled or deleted. A new password lets the user go on,
 * and a user who is gone does nothing any more: neither needs a second look. The command may be repeated at any time.
 */
export const endUser = async (
  payload: Payload,
  ask: Ask,
  { wait = waitOnClock, tell = console.error }: EndPorts = {},
): Promise<AdminAnswer> => {
  const { command } = payload;
  if (command === 'user.password' || command === 'user.erase') return whole(payload, ask);
  const first = await whole({ ...payload, command: 'user.disable' }, ask);
  if (!first.ok) return first;
  const { quietSeconds } = limits.auth;
  tell(`The user is shut out. In ${quietSeconds} seconds the last requests have ended; then a second look.`);
  await wait(quietSeconds);
  const second = await whole(payload, ask);
  return second.ok ? { ...second, ...sum(v.parse(counts, first), v.parse(counts, second)) } : second;
};

const counts = v.object({ addresses: v.number(), links: v.number(), names: v.number() });
type Counts = v.InferOutput<typeof counts>;

const sum = (one: Counts, other: Counts): Counts => ({
  addresses: one.addresses + other.addresses,
  links: one.links + other.links,
  names: one.names + other.names,
});

/** Repeats a command until it is through all properties of the account, and adds up what it has done. */
const whole = async (payload: Payload, ask: Ask): Promise<AdminAnswer> => {
  let all: Counts = { addresses: 0, links: 0, names: 0 };
  let shown: Readonly<Record<string, unknown>> = {};
  for (let page = payload; ;) {
    const answer = await ask(page);
    if (!answer.ok) return answer;
    const { next, ...facts } = v.parse(step, answer);
    all = sum(all, facts);
    // Only the first answer shows a new password.
    shown = { ...shown, ...facts, ...all };
    if (next === null) return { ...shown, ok: true };
    page = { ...payload, after: next };
  }
};
