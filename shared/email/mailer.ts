/** A mail of ours: one recipient, both forms of the text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends a mail once. Never throws for what becomes of it. */
export type Mailer = (
  mail: Mail,
) => Promise<{ readonly kind: 'sent' } | { readonly kind: 'failed'; readonly reason: string }>;

/** What the environment says where the stage has no sender. */
const NO_SENDER = 'none';

/** The sender of a stage from its environment, when it has one. */
export const senderOf = (value: string): string | undefined => (value === NO_SENDER ? undefined : value);
