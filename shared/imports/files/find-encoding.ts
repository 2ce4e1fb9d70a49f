/** `findEncoding`: the encoding of a file by its definition and its bytes, for the inspection of files. */
import type { Encoding, EncodingName } from '../../csv/dialect.ts';
import { type EncodingEvidence, noEvidence } from '../../csv/encoding-evidence.ts';
import { EncodingProof, type Proven, provenBy, type Unproven } from '../../csv/encoding-proof.ts';
import { type Reading, iconv, readAs } from '../../csv/find-code-page.ts';
import { encodingOf } from '../../csv/find-encoding.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { HasTime } from '../../runtime/time-budget.ts';
import { fileFailure } from '../jobs/fail-import.ts';
import type { FileFailure, StoredObject } from '../items/import-job.ts';
import { type TextRemark, withRemarks } from './text-remarks.ts';
import { readVersion, type VersionStore } from '../rows/read-rows.ts';

/** A file whose encoding is sought. */
export interface FileToProve {
  readonly object: StoredObject;
  /** Its first bytes, enough for any header. */
  readonly start: Buffer;
  /** The encoding that the definition names. */
  readonly named: EncodingName;
  /** The evidence of earlier calls. */
  readonly evidence: EncodingEvidence | null;
  /** Whether messages show no word of the file, because a column holds social tokens. */
  readonly hidesWords: boolean;
}

/** An encoding, or, when the time did not suffice, the evidence from which the next call continues. */
export type EncodingSearch =
  | { readonly done: true; readonly encoding: Encoding; readonly remarks: readonly TextRemark[] }
  | { readonly done: false; readonly evidence: EncodingEvidence };

/**
 * Finds the encoding of a file. Only for `auto`, and without a proof in the first bytes, it reads the whole file. Fails
 * with a fault of the file. Throws `ObjectChangedError` when the file was replaced or deleted.
 */
export const findEncoding = async (
  store: VersionStore,
  { object, start, named, evidence, hidesWords }: FileToProve,
  hasTime: HasTime,
): Promise<Result<EncodingSearch, FileFailure>> => {
  const atStart = encodingAtStart(start, named);
  if (!atStart.ok) return atStart;
  if (atStart.value !== null) {
    const given = { encoding: atStart.value, doubt: [], words: 0 };
    return ok({ done: true, ...withRemarks(start, given, named) });
  }
  const proof = new EncodingProof(evidence ?? noEvidence);
  const { offset } = proof.evidence;
  if (offset < object.size) {
    for await (const piece of readVersion(store, object, { from: offset })) {
      proof.push(piece);
      // A call may only pause after progress.
      if (!hasTime() && proof.evidence.offset > offset) return ok({ done: false, evidence: proof.evidence });
    }
  }
  const proven = encodingBy(proof.finish(), hidesWords);
  return proven.ok ? ok({ done: true, ...withRemarks(start, proven.value, named) }) : proven;
};

/** `encodingOf` with a fault of the file. */
export const encodingAtStart = (start: Buffer, named: EncodingName): Result<Encoding | null, FileFailure> => {
  const found = encodingOf(start, named);
  return found.ok ? found : err(otherEncoding(found.error, named));
};

/** `provenBy` with a fault of the file. */
export const encodingBy = (evidence: EncodingEvidence, hidesWords: boolean): Result<Proven, FileFailure> => {
  const proven = provenBy(evidence);
  return proven.ok ? proven : err(unproven(proven.error, hidesWords));
};

/** Encodings that a byte order mark or the line breaks of a file prove, in words. */
const displayNames: Partial<Record<Encoding, string>> = {
  'utf-8': 'UTF-8 with a byte order mark',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 (big-endian)',
};

const otherEncoding = (proven: Encoding | undefined, named: EncodingName): FileFailure =>
  fileFailure(
    'wrong_encoding',
    proven === undefined
      ? 'The byte order of this UTF-16 file is unknown: it has no byte order mark and no line break. Set `encoding` to utf-16le or utf-16be.'
      : `This file is ${displayNames[proven] ?? proven}, the definition says ${named}. Set \`encoding\` to ${proven} or auto.`,
    { line: 1 },
  );

const unproven = ({ offset, byte, why, readings }: Unproven, hidesWords: boolean): FileFailure => {
  const shown = `Byte 0x${byte.toString(16).toUpperCase()} at position ${offset + 1} is not UTF-8.`;
  const word = hidesWords ? '' : ` A word of the file is ${readAs(readings)}.`;
  return fileFailure('wrong_encoding', `${unprovenTexts[why]} ${shown}${remedyOf(why, word, readings)}`);
};

const unprovenTexts: Readonly<Record<Unproven['why'], string>> = {
  mixed: 'The file is neither UTF-8 nor Windows-1252 throughout.',
  several: 'The letters do not prove the encoding of the file.',
  wordless: 'No code page that the service knows gives words.',
};

/** What to do. No code page is recommended in which the file has no words. */
const remedyOf = (why: Unproven['why'], word: string, readings: readonly Reading[]): string => {
  if (why === 'mixed')
    return ' Save the file as UTF-8, or set `encoding`: then only the rows with such bytes are refused.';
  if (why === 'wordless')
    return `${word} Save the file as UTF-8 in the program that wrote it, or set \`encoding\` to its encoding.`;
  const names = readings.map(({ codePage }) => codePage);
  const [only] = names;
  return only !== undefined && names.length === 1
    ? `${word} If that is right, set \`encoding\` to ${only}, or save the file as UTF-8: ${iconv(only)}.`
    : `${word} Set \`encoding\` to the one in which it is right: ${names.join(' or ')}. Or save the file as UTF-8.`;
};
