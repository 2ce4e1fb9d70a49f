/** Change calls: cuts the file of a job into the calls that tell its changes, in the same places in each attempt. */
import { limits } from '../../config/limits.ts';
import { isoTime } from '../../runtime/clock.ts';
import type { SegmentChanges } from '../model/export-events.ts';
import type { ExportJob, ExportPlan, Taken } from '../model/items.ts';
import { changeOfLine } from '../parts/print-json.ts';

const { changesPerCall, changesBytes } = limits.exports;

/** One call: its number, its changes as lines of the file, and what the receiver has taken after it. */
export interface ChangeCall {
  readonly part: number;
  readonly last: boolean;
  readonly lines: readonly string[];
  readonly after: Taken;
}

/** Whether a receiver has taken all calls of a file of so many bytes. A file without rows has one call. */
export const isTaken = ({ part, offset }: Taken, bytes: number): boolean => part > 0 && offset >= bytes;

/**
 * The call after those that were taken. `ahead` are bytes of the file from there on; undefined when they have no whole line
 * and the file has more. The cuts follow from the file alone, so a call that is repeated has the same people and the same
 * id.
 */
export const nextCall = (taken: Taken, ahead: Uint8Array, bytes: number): ChangeCall | undefined => {
  const found = linesAhead(ahead);
  if (found.length === 0 && taken.offset < bytes) return undefined;
  const offset = taken.offset + (found.at(-1)?.end ?? 0);
  const part = taken.part + 1;
  const after = { part, offset, sent: taken.sent + found.length };
  const lines = found.map(({ start, end }) => Buffer.from(ahead.subarray(start, end - 1)).toString());
  return { part, last: offset >= bytes, lines, after };
};

interface Line {
  readonly start: number;
  /** Behind the end of the line. */
  readonly end: number;
}

/** The lines of a call: as many as fit, and at least one. */
const linesAhead = (ahead: Uint8Array): readonly Line[] => {
  const lines: Line[] = [];
  for (let start = 0; lines.length < changesPerCall;) {
    const end = ahead.indexOf(LINE_FEED, start) + 1;
    if (end === 0 || (end > changesBytes && lines.length > 0)) break;
    lines.push({ start, end });
    start = end;
  }
  return lines;
};

const LINE_FEED = 0x0a;

/** Id of the message of a call: the same in every attempt and replay, so a receiver recognizes repetitions. */
export const changesMessageId = ({ job }: Pick<ExportJob, 'job'>, part: number): string =>
  `msg_export_job_${job}_changes_${part}`;

/** The body of a call. */
export const changesBody = (
  { export: id, job }: Pick<ExportJob, 'export' | 'job'>,
  { base, watermark }: Pick<ExportPlan, 'base' | 'watermark'>,
  { part, last, lines }: ChangeCall,
): string => {
  const head = {
    type: 'segment.changes',
    export_id: String(id),
    job_id: String(job),
    part,
    last,
    delta_from: base ? String(base.job) : null,
    watermark: isoTime(watermark),
  } satisfies Omit<SegmentChanges, 'changes'>;
  return `${JSON.stringify(head).slice(0, -1)},"changes":[${lines.map(changeOfLine).join(',')}]}`;
};
