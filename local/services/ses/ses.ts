/**
 * SES of the embedded cloud (API v2): SendEmail puts the mail into an inbox in memory.
 *
 *     const ses = createSes({ scope });
 *     gateway.addService(ses.service);
 *     ses.inbox();      // [{ to, from, subject, text, html, date }], oldest first: what `inbox_url` serves
 *
 * Simple and raw content; nothing leaves the machine. With `identities` (addresses or domains) mail from any other
 * sender is refused as unverified, like in the real service.
 */
import type { AwsService, Scope } from '../../types.ts';

/** One mail as a reader of the inbox sees it; `date` in ISO 8601. */
export interface Mail {
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: string;
}

/** How to open the service. */
export interface SesOptions {
  readonly scope: Scope;
  readonly identities?: readonly string[];
  readonly now?: () => Date;
}

/** The running service. */
export interface Ses {
  readonly service: AwsService;
  inbox(): readonly Mail[];
  clear(): void;
}

/** Opens the service. */
export const createSes = (options: SesOptions): Ses => {
  throw new Error(`ses is not built yet: ${options.scope.region}`);
};
