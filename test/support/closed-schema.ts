import { isObject } from '../../shared/http/json.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * A JSON Schema whose objects have no other members than the schema names, at every depth. Clients must bear new members,
 * so the document leaves the objects of answers open; the tests find members that the document does not describe.
 */
export const closed = (schema: Schema): Schema => {
  const members = Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [name, closedPart(member)]),
  );
  return isOpen(schema) ? { ...members, additionalProperties: false } : members;
};

const closedPart = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(closedPart);
  return isObject(part) ? closed(part) : part;
};

/** Whether a schema describes the members of an object, and none besides. */
const isOpen = (schema: Schema): boolean =>
  schema['type'] === 'object' &&
  isObject(schema['properties']) &&
  schema['additionalProperties'] === undefined;
