/** Consent: what people allow and what they withdrew, as statements about channels. */

/** What a person said about a channel. */
export const consentStates = ['given', 'withdrawn'] as const;
export type ConsentState = (typeof consentStates)[number];

/** A statement about a channel, such as `email`. */
export interface Consent {
  readonly channel: string;
  readonly state: ConsentState;
  /**
   * When it was said: `YYYY-MM-DD HH:MM:SS`, UTC. `null` for consent of unknown date, which counts less than every dated
   * statement.
   */
  readonly datetime: string | null;
  /** Where it was said, in the words of the client. */
  readonly source: string | null;
}

const channelForm = /^[a-z\d_-]{1,64}$/;

/**
 * The channel of an objection to every use of a person's data, which no client can name. A person who has withdrawn it is
 * stored, and in no segment and no export.
 */
export const EVERY_USE = '*';

/**
 * The channel by which a property does not use the special categories of a person, which no client can name, either. It is
 * no consent of the person, so no answer shows it.
 */
export const SPECIAL_CATEGORIES = '*special';

/** A use of a person's data that is restricted while its channel is withdrawn. */
export type Use = typeof EVERY_USE | typeof SPECIAL_CATEGORIES;

/** Whether a text is the name of a channel: up to 64 lower-case letters, digits, `_` and `-`. No `Use` is one. */
export const isChannel = (text: string): boolean => channelForm.test(text);

type Scalar = string | number | boolean | null;

/** The value of the register of a statement. */
export const consentValue = ({ datetime, state, source }: Omit<Consent, 'channel'>): readonly Scalar[] => [
  datetime,
  state,
  source,
];

/** The statement in a register. Throws for a value of another form. */
export const consentOf = ({
  name: channel,
  value,
}: {
  readonly name: string;
  readonly value: Scalar | readonly Scalar[];
}): Consent => {
  const [datetime, said, source] = typeof value === 'object' && value !== null ? value : [];
  const state = consentStates.find((one) => one === said);
  if ((typeof datetime !== 'string' && datetime !== null) || !state)
    throw new Error('profiles: a consent has another form');
  return { channel, state, datetime, source: typeof source === 'string' ? source : null };
};

/**
 * A text that orders statements about one channel: the later statement is larger; of two statements of one second, a
 * withdrawal is larger; a statement without a date is smaller than every dated statement.
 */
export const consentOrder = (value: Scalar | readonly Scalar[]): string => {
  const { datetime, state } = consentOf({ name: '', value });
  return `${datetime ?? ''} ${rank[state]}`;
};

/** Whether the register of a statement says that consent was withdrawn. */
export const isWithdrawn = (value: Scalar | readonly Scalar[]): boolean =>
  consentOf({ name: '', value }).state === 'withdrawn';

/**
 * Names a statement among those about one channel that say the same. A later statement has a larger name, and a statement
 * without a date has a smaller name than every dated one.
 */
export const statementName = (value: Scalar | readonly Scalar[]): string => {
  const { datetime, source } = consentOf({ name: '', value });
  return `${datetime ?? ''} ${JSON.stringify(source)}`;
};

const rank: Readonly<Record<ConsentState, number>> = { given: 0, withdrawn: 1 };

/** A statement as answers show it: with its time in the form of `isoTime`, as every time in an answer. */
export const shownStatement = <Said extends Pick<Consent, 'datetime'>>(said: Said): Said => ({
  ...said,
  datetime: said.datetime === null ? null : `${said.datetime.replace(' ', 'T')}.000Z`,
});
