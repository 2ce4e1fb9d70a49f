/** Read sample: the encoding and the first rows of a file from its first bytes, for `inspectImport`. */
import { createGunzip } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import { limits } from '../../config/limits.ts';
import { decodeLossy } from '../../csv/decode.ts';
import { delimiters, type Encoding, type EncodingName } from '../../csv/dialect.ts';
import { noEvidence } from '../../csv/encoding-evidence.ts';
import { EncodingProof } from '../../csv/encoding-proof.ts';
import { withinColumns } from '../../csv/no-row.ts';
import { parseRow } from '../../csv/parse-row.ts';
import type { Header } from '../../csv/read-header.ts';
import { rowsIn } from '../../csv/row-scanner.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { fileFailure } from '../jobs/fail-import.ts';
import type { FileFailure } from '../items/import-job.ts';
import { isCompressed } from '../files/expand-file.ts';
import { encodingAtStart, encodingBy } from '../files/find-encoding.ts';
import { otherFormat } from '../files/other-format.ts';
import { headerMessages } from '../files/read-layout.ts';
import { type TextRemark, withRemarks } from '../files/text-remarks.ts';

/** The first bytes of a file, uncompressed. */
export interface Sample {
  readonly bytes: Buffer;
  /** The encoding that these bytes prove. */
  readonly encoding: Encoding;
  /** What is to be said about the text. */
  readonly remarks: readonly TextRemark[];
}

/** The end of a row in the sample, and the place of the next row. */
export interface SampleRow {
  readonly cells: readonly string[];
  /** The number of its cells, those behind the last column included. */
  readonly width: number;
  readonly next: number;
}

/** Expands a compressed sample, and finds its encoding. Fails with a fault of the file. */
export const readSample = async (
  content: Buffer,
  named: EncodingName,
  hidesWords: boolean,
): Promise<Result<Sample, FileFailure>> => {
  const bytes = isCompressed(content) ? await expandStart(content) : content;
  if (bytes.length === 0) return err(fileFailure('no_header', headerMessages.no_header, { line: 1 }));
  const other = otherFormat(bytes);
  if (other) return err(other);
  const atStart = encodingAtStart(bytes, named);
  if (!atStart.ok) return atStart;
  if (atStart.value !== null)
    return ok({ bytes, ...withRemarks(bytes, { encoding: atStart.value, doubt: [], words: 0 }, named) });
  const proof = new EncodingProof(noEvidence);
  proof.push(bytes);
  // A word or a character that is cut at the end of a sample of full length is no evidence.
  const isWhole = bytes.length < limits.imports.inspectedBytes;
  const proven = encodingBy(isWhole ? proof.finish() : proof.evidence, hidesWords);
  return proven.ok ? ok({ bytes, ...withRemarks(bytes, proven.value, named) }) : proven;
};

/** The first bytes of a gzip file. The file itself may be cut anywhere. */
const expandStart = (content: Buffer): Promise<Buffer> =>
  firstBytes(pipeline(Readable.from([content]), createGunzip(), () => undefined));

const firstBytes = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of stream) {
      parts.push(part);
      size += part.length;
      if (size >= limits.imports.inspectedBytes) break;
    }
  } catch {
    // The bytes before the fault of a broken or cut file are still of use.
  }
  return Buffer.concat(parts).subarray(0, limits.imports.inspectedBytes);
};

/**
 * The first rows after the header. Leaves out rows that do not parse, and, in a sample of full length, a last row that may
 * be cut.
 */
export const sampleRows = (
  {
    dialect,
    offset,
    line,
    columns,
  }: Pick<Header, 'dialect' | 'offset' | 'line'> & { readonly columns: number },
  bytes: Buffer,
  most: number,
): readonly SampleRow[] => {
  const isWhole = bytes.length < limits.imports.inspectedBytes;
  const { rows } = rowsIn(bytes.subarray(offset), { offset, line }, dialect, isWhole);
  return rows.slice(0, most).map(({ start, end, next }) => {
    const cells = parseRow(
      decodeLossy(bytes.subarray(start, end), dialect.encoding),
      delimiters[dialect.delimiter],
      dialect.trim,
    );
    return cells.ok
      ? { cells: withinColumns(cells.value, columns), width: cells.value.length, next }
      : { cells: [], width: 0, next };
  });
};
