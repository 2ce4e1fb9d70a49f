/** Pages of the operator's functions: asks for page after page. */
import type { Payload } from './admin-commands.ts';
import type { AdminAnswer } from './admin-service.ts';

type Page = Extract<AdminAnswer, { readonly ok: true }>;
type Refusal = Exclude<AdminAnswer, Page>;

/**
 * Runs a command that answers a page at a time, and gives each page to `take`. `next` of a page is `after` of the following
 * page. Answers the refusal that ended the pages, if one did.
 */
export const eachPage = async (
  payload: Payload,
  ask: (payload: Payload) => Promise<AdminAnswer>,
  take: (page: Page) => void,
): Promise<Refusal | undefined> => {
  for (let page = payload; ;) {
    const answer = await ask(page);
    if (!answer.ok) return answer;
    take(answer);
    const { next } = answer;
    if (typeof next !== 'number' && typeof next !== 'string') return undefined;
    page = { ...payload, after: next };
  }
};

/** The lists of a command, each joined from all pages. */
export const wholeList = async (
  payload: Payload,
  ask: (payload: Payload) => Promise<AdminAnswer>,
): Promise<AdminAnswer> => {
  const whole: Record<string, readonly unknown[]> = {};
  const refused = await eachPage(payload, ask, (page) => {
    for (const [name, value] of Object.entries(page))
      if (Array.isArray(value)) whole[name] = (whole[name] ?? []).concat(value);
  });
  return refused ?? { ok: true, ...whole };
};
