/** Journal partitions: where the entries of a group of ordinals are, by their lane. */
import { hash } from 'node:crypto';
import { JOURNAL_PARTITIONS, keys } from '../table/keys.ts';

/**
 * Who drains an entry. `request`: a writer whose client waits; the waiting writers drain their own lane (group commit).
 * `background`: the drainer, some time later. Two lanes, so that no request reads or indexes the backlog of an import.
 */
export const lanes = ['request', 'background'] as const;
export type Lane = (typeof lanes)[number];

/**
 * Partitions of a group in one lane. A look at a group reads all of them, at one read unit each at least. A thousand
 * requests a second cost each of them 375 of its 1,000 write units.
 */
const PER_LANE = 8;

/** The number that spreads a text over partitions. */
const numberOf = (text: string): number => Number.parseInt(hash('sha256', text).slice(0, 8), 16);

const partitionAt = (property: number, group: number, lane: Lane, at: number): number =>
  (numberOf(`${property} ${group}`) + lanes.indexOf(lane) * PER_LANE + at) % JOURNAL_PARTITIONS;

/** The partition of the entries of an attempt. */
export const partitionOf = (property: number, group: number, lane: Lane, attemptId: string): number =>
  partitionAt(property, group, lane, numberOf(attemptId) % PER_LANE);

/** All partitions that may have entries of a group in a lane. */
export const partitionsOf = (property: number, group: number, lane: Lane): readonly string[] =>
  Array.from({ length: PER_LANE }, (_, at) => keys.journalPartition(partitionAt(property, group, lane, at)));

/** The partitions of the entries of all groups. */
export const allPartitions: readonly string[] = Array.from({ length: JOURNAL_PARTITIONS }, (_, partition) =>
  keys.journalPartition(partition),
);
