/** The first bytes of a file that the reader chose, as an inspection takes them. */
import { INSPECTED_BYTES } from '../../../../client/src/imports/file-definition.ts';

/** A file, and its first bytes in base64. */
export interface ChosenFile {
  readonly file: File;
  readonly content: string;
}

/** Bytes that one call turns into text: more would be too many arguments. */
const STEP = 8_192;

/** Reads the beginning of a file. Throws the error of the browser when the file cannot be read. */
export const beginningOf = async (file: File): Promise<ChosenFile> => {
  const bytes = new Uint8Array(await file.slice(0, INSPECTED_BYTES).arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += STEP)
    binary += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return { file, content: btoa(binary) };
};
