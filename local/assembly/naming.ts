import { createHash } from 'node:crypto';

/** The place of a resource in the stacks, from which its name derives. */
export interface Place {
  readonly stack: string;
  readonly logicalId: string;
}

const digest = ({ stack, logicalId }: Place): string =>
  createHash('sha256').update(`${stack}/${logicalId}`).digest('hex');

/** A physical name like those of CloudFormation, but the same on every start. At most 63 characters. */
export const generatedName = (place: Place): string =>
  `${place.stack}-${place.logicalId}`.slice(0, 50) + `-${digest(place).slice(0, 12)}`;

/** An id of ten lower-case letters and digits, like the ids of API Gateway. */
export const generatedId = (place: Place): string =>
  BigInt(`0x${digest(place).slice(0, 16)}`)
    .toString(36)
    .padStart(10, '0')
    .slice(-10);

/** Lower-case hexadecimal digits. */
export const generatedHex = (place: Place, digits: number): string => digest(place).slice(0, digits);

/** A UUID, like the ids of KMS keys and event source mappings. */
export const generatedUuid = (place: Place): string => {
  const hex = digest(place);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
