/** Change calls: cuts the file of a job into the calls that tell its changes, so that each call has the same content always. */
import { limits } from '../../config/limits.ts';
import { isoTime } from '../../runtime/clock.ts';
import type { SegmentChanges } from '../model/export-events.ts';
import type { ExportJob, ExportPlan, Taken } from '../model/items.ts';

const { changesPerCall, changesBytes } = limits.exports;

/** One call: its number, its changes as JSON, and what the receiver has taken after it. */
export interface ChangeCall {
  readonly part: number;
  readonly last: boolean;
  readonly changes: readonly string[];
  readonly after: Taken;
}

/** Whether a receiver has taken all calls of a file of so many bytes. A file without rows has one call. */
export const isTaken = ({ part, offset }: Taken, bytes: number): boolean => part > 0 && offset >= bytes;

/**
 * The call after those that were taken. `ahead` are bytes of the file from there on; undefined when they have no whole line
 * and the file has more. The cuts follow from the file alone, so a call that is repeated has the same changes and the same id.
 */
export const nextCall = (taken: Taken, ahead: Uint8Array, bytes: number): ChangeCall | undefined => {
  const lines = linesAhead(ahead);
  if (lines.length === 0 && taken.offset < bytes) return undefined;
  const offset = taken.offset + (lines.at(-1)?.end ?? 0);
  const part = taken.part + 1;
  const after = { part, offset, sent: taken.sent + lines.length };
  const changes = lines.map(({ start, end }) =>
    changeOf(Buffer.from(ahead.subarray(start, end - 1)).toString()),
  );
  return { part, last: offset >= bytes, changes, after };
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

/** How a line of a delta begins (`print-json.ts`): with its change, in front of the values of the person. */
const form = /^\{"change":("\w+"),?/;

/** A line of the file as a change of a call. The text of the values stays as it is. */
const changeOf = (line: string): string => {
  const [begin, change] = form.exec(line) ?? [];
  if (begin === undefined || change === undefined) throw new Error('exports: a line is no change');
  return `{"change":${change},"profile":{${line.slice(begin.length)}}`;
};

/** Id of the message of a call: the same in every attempt and replay, so a receiver recognizes repetitions. */
export const changesMessageId = ({ job }: Pick<ExportJob, 'job'>, part: number): string =>
  `msg_export_job_${job}_changes_${part}`;

/** The body of a call. */
export const changesBody = (
  { export: id, job }: Pick<ExportJob, 'export' | 'job'>,
  { base, watermark }: Pick<ExportPlan, 'base' | 'watermark'>,
  { part, last, changes }: ChangeCall,
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
  return `${JSON.stringify(head).slice(0, -1)},"changes":[${changes.join(',')}]}`;
};
