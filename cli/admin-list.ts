/** Whole lists of the operator: asks for page after page. */
import type { Payload } from './admin-commands.ts';
import type { AdminAnswer } from './admin-service.ts';

/** Runs a command that answers a page of lists, and joins all pages. `next` of a page is `after` of the following page. */
export const wholeList = async (
  payload: Payload,
  ask: (payload: Payload) => Promise<AdminAnswer>,
): Promise<AdminAnswer> => {
  const whole: Record<string, readonly unknown[]> = {};
  let page: Payload = payload;
  for (;;) {
    const answer = await ask(page);
    if (!answer.ok) return answer;
    for (const [name, value] of Object.entries(answer))
      if (Array.isArray(value)) whole[name] = (whole[name] ?? []).concat(value);
    const { next } = answer;
    if (typeof next !== 'number') return { ok: true, ...whole };
    page = { ...payload, after: next };
  }
};
