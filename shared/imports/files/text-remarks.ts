/** Text remarks: what is said about the text of a file that can be read, but perhaps not as it was written. */
import { isUtf8 } from 'node:buffer';
import { decodeLossy } from '../../csv/decode.ts';
import { mendedRuns } from '../../csv/decoded-twice.ts';
import { type Encoding, type EncodingName, isCodePage } from '../../csv/dialect.ts';
import { noEvidence } from '../../csv/encoding-evidence.ts';
import { EncodingProof, type Proven, provenBy } from '../../csv/encoding-proof.ts';
import { oddWordIn, type Reading, readAs } from '../../csv/find-code-page.ts';
import { wordsAboveAscii } from '../../csv/word-sample.ts';
import { wordlessRemarks } from '../items/wordless-texts.ts';

/** A remark about the text of a file: texts in which it was seen, what was seen, and what is done with them. */
export interface TextRemark {
  readonly code: keyof typeof wordlessRemarks;
  readonly seen: readonly string[];
  /** In how many words it was seen. */
  readonly cells: number;
  readonly saw: string;
  readonly does: string;
}

/** How a file is read, and what is to be said about that. */
export interface ReadText {
  readonly encoding: Encoding;
  readonly remarks: readonly TextRemark[];
}

/**
 * The encoding of a file by its proof, with remarks. The first bytes of a file show whether its text was decoded twice: with
 * `auto`, text of which most was is mended.
 */
export const withRemarks = (start: Buffer, proven: Proven, named: EncodingName): ReadText => {
  const { encoding } = proven;
  const { doubt, words } = named === 'auto' ? proven : otherReadings(start, encoding);
  const odd = named === 'auto' || doubt.length > 0 ? undefined : oddReading(start, encoding);
  const uncertain = [
    ...(doubt.length > 0 ? [uncertainEncoding(encoding, doubt, words)] : []),
    ...(odd ? [odd] : []),
  ];
  if (encoding !== 'utf-8' && encoding !== 'utf-8-twice') return { encoding, remarks: uncertain };
  const { mended, others } = mendedRuns(decodeLossy(start, 'utf-8'));
  if (mended.length === 0) return { encoding, remarks: uncertain };
  const isMended = encoding === 'utf-8-twice' || (named === 'auto' && mended.length > others);
  const remark = decodedTwice(mended, isMended);
  return { encoding: isMended ? 'utf-8-twice' : encoding, remarks: [...uncertain, remark] };
};

/** Other code pages in which the first bytes of a file have usual letters, unlike in the code page that was named. */
const otherReadings = (start: Buffer, encoding: Encoding): Pick<Proven, 'doubt' | 'words'> => {
  const none = { doubt: [], words: 0 };
  if (!isCodePage(encoding)) return none;
  const proof = new EncodingProof(noEvidence);
  proof.push(start);
  const { evidence } = proof;
  const proven = provenBy(evidence);
  if (!proven.ok || proven.value.doubt.length > 0 || proven.value.encoding === encoding) return none;
  return {
    doubt: differentReadings(evidence.words, encoding, proven.value.encoding),
    words: proven.value.words,
  };
};

/** A remark about the first bytes of a file if they give no words in the code page that was named. */
const oddReading = (start: Buffer, encoding: Encoding): TextRemark | undefined => {
  if (!isCodePage(encoding)) return undefined;
  const words = wordsAboveAscii(start);
  const odd = oddWordIn(words, encoding);
  if (!odd) return undefined;
  const reason = isUtf8(start) ? 'The bytes are UTF-8' : 'The letters are unusual';
  return {
    code: 'uncertain_encoding',
    seen: [odd.text],
    cells: words.length,
    saw: `${reason}: a word of the file is ${readAs([odd])}.`,
    does: readAsNamed(encoding),
  };
};

const readAsNamed = (encoding: Encoding): string =>
  `The file is read as ${encoding}. If that is wrong, set \`encoding\`.`;

/** The first word that reads differently in two encodings. */
const differentReadings = (
  words: readonly string[],
  named: Encoding,
  proven: Encoding,
): readonly Reading[] => {
  for (const word of words) {
    const bytes = Buffer.from(word, 'latin1');
    const readings = [named, proven].flatMap((encoding) =>
      isCodePage(encoding) ? [{ codePage: encoding, text: decodeLossy(bytes, encoding) }] : [],
    );
    if (new Set(readings.map(({ text }) => text)).size > 1) return readings;
  }
  return [];
};

const uncertainEncoding = (encoding: Encoding, readings: readonly Reading[], words: number): TextRemark => ({
  code: 'uncertain_encoding',
  seen: readings.map(({ text }) => text),
  cells: words,
  saw:
    readings.length > 1
      ? `The letters fit several encodings: a word of the file is ${readAs(readings)}.`
      : `Few letters show the encoding: a word of the file is ${readAs(readings)}.`,
  does: readAsNamed(encoding),
});

interface MendedRun {
  readonly before: string;
  readonly after: string;
}

const decodedTwice = (mended: readonly MendedRun[], isMended: boolean): TextRemark => {
  const example = mended.map(({ before, after }) => `${before} for ${after}`)[0] ?? '';
  return {
    code: 'decoded_twice',
    seen: mended.map(({ before }) => before),
    cells: mended.length,
    saw: `Text was decoded once too often: ${example}.`,
    does: isMended
      ? 'It is read as it was before (`encoding` utf-8-twice).'
      : 'It is stored as it is. To mend it, set `encoding` to utf-8-twice.',
  };
};

/** A remark in one paragraph, with the number of cases. */
export const remarkMessage = ({ cells, saw, does }: TextRemark): string =>
  `${saw} Words of which that is known: ${cells}. ${does}`;

/** A remark that shows no word of the file: a column may hold social tokens. */
export const withoutWords = (remark: TextRemark): TextRemark => ({
  ...remark,
  seen: [],
  saw: wordlessRemarks[remark.code],
});
