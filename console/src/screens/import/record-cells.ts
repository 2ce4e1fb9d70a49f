/** The cells of a record as a table shows them: one text for each field of a definition. */

/** A record as an inspection answers it. */
export type ReadRecord = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is ReadRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (!isRecord(value)) return '';
  if ('tag' in value) return textOf(value['tag']);
  if ('id' in value) return textOf(value['id']);
  return Object.values(value).map(textOf).join(', ');
};

/** A statement of consent about a channel: its state or its time. */
const consentOf = (record: ReadRecord, channel: string, member: string): string => {
  const statements: readonly unknown[] = Array.isArray(record['consent']) ? record['consent'] : [];
  const own = statements.filter(isRecord).filter((one) => one['channel'] === channel);
  return own.map((one) => textOf(one[member])).join(', ');
};

/** The text of a target of a definition in a record; empty if the record has no value for it. */
export const cellOf = (record: ReadRecord, target: string): string => {
  const [, channel, datetime] = /^consent\.([^.]+)(\.datetime)?$/.exec(target) ?? [];
  if (channel !== undefined) return consentOf(record, channel, datetime === undefined ? 'state' : 'datetime');
  const [outer = '', ...rest] = target.split('.');
  if (rest.length === 0) return textOf(record[outer]);
  const inner = rest.join('.');
  const holder = record[outer];
  return isRecord(holder) ? textOf(holder[inner]) : textOf(record[inner]);
};
