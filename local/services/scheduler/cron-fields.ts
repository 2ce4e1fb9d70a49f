/**
 * Allowed values and wildcards of the six fields of `cron(…)`, from EventBridge's user guide ("Cron-based schedules").
 * The library that computes the times accepts more.
 */
interface Field {
  readonly name: string;
  /** All characters and names that the field allows. */
  readonly text: RegExp;
  readonly least?: number;
  readonly most?: number;
}

const MONTHS = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC';
const DAYS = 'SUN|MON|TUE|WED|THU|FRI|SAT';

const FIELDS: readonly Field[] = [
  { name: 'minutes', text: /^[\d,*/-]+$/, least: 0, most: 59 },
  { name: 'hours', text: /^[\d,*/-]+$/, least: 0, most: 23 },
  { name: 'day of month', text: /^(?:\?|[\d,*/LW-]+)$/, least: 1, most: 31 },
  { name: 'month', text: new RegExp(`^(?:[\\d,*/-]|${MONTHS})+$`), least: 1, most: 12 },
  { name: 'day of week', text: new RegExp(`^(?:\\?|(?:[\\d,*L#-]|${DAYS})+)$`), least: 1, most: 7 },
  { name: 'year', text: /^[\d,*/-]+$/, least: 1970, most: 2199 },
];

/** Validates the fields of a cron expression. Throws an error that names the problem. */
export const checkCronFields = (fields: readonly string[]): void => {
  if (fields.length !== FIELDS.length) throw new Error('a cron expression has six fields');
  FIELDS.forEach((field, index) => checkField(field, (fields[index] ?? '').toUpperCase()));
  const [, , day, , weekday = ''] = fields;
  if ((day === '?') === (weekday === '?')) throw new Error('one of the two day fields must be ?');
  if (weekday.includes('#') && !/^\w+#[1-5]$/.test(weekday))
    throw new Error('a day of week with # stands alone');
};

const checkField = ({ name, text, least = 0, most = 0 }: Field, value: string): void => {
  if (!text.test(value)) throw new Error(`${name} may not be ${value}`);
  // The text after a slash or a hash is a step or an ordinal.
  const numbers = [...value.matchAll(/(?<![/#\d])\d+/g)].map(([number]) => Number(number));
  if (numbers.some((number) => number < least || number > most))
    throw new Error(`${name} is from ${least} to ${most}`);
};
