/** A mail of the service: one recipient, and the text in two forms. */
export interface Mail {
  readonly to: string;
  /** The name of the sender: the house on whose behalf the mail comes. */
  readonly house: string;
  /** The link by which the reader ends such mails, also for the button of a mail program; `null` for a single question. */
  readonly unsubscribe: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Makes one attempt to send a mail. A failure is an outcome, not an exception. */
export type Mailer = (
  mail: Mail,
) => Promise<{ readonly kind: 'sent' } | { readonly kind: 'failed'; readonly reason: string }>;

/** The value of the environment variable in a stage without a sender. */
const NO_SENDER = 'none';

/** The sender address from the environment; `undefined` for a stage without a sender. */
export const senderOf = (value: string): string | undefined => (value === NO_SENDER ? undefined : value);
