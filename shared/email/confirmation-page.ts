import type { ApiAnswer, PublicRequest } from '../http/api-types.ts';
import type { Problem } from '../http/problem.ts';
import { isCapability } from '../runtime/capability.ts';
import type { Mailboxes } from './mailboxes.ts';

export interface ConfirmDeps {
  readonly mailboxes: Mailboxes;
}

/** The problem of a link that does not open. */
export const closed: Problem = {
  status: 403,
  code: 'link_closed',
  detail: 'This link was used already, is over, or never was one.',
};

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** A page of the service around some content. */
export const page = (content: string): ApiAnswer => ({
  status: 200,
  headers,
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tidemark</title>${content}</html>`,
});

/** The link that the path of a request names, while it works; `undefined` otherwise. */
export const linkOf = async ({ mailboxes }: ConfirmDeps, { path, now }: PublicRequest) => {
  const { capability = '' } = path;
  const link = isCapability(capability) ? await mailboxes.link(capability, now) : undefined;
  return link && { capability, link };
};
